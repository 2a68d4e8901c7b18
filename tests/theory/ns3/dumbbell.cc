// BBR flows over one bottleneck in ns-3: dumbbell RTT_MS BUFFER_PACKETS SECONDS FROM_S START_S... Prints a line of JSON.
//
// For each flow a host on both sides of two routers; between the routers 10 Mbit/s, a DropTail queue and half
// the RTT each way; the hosts' links have 10 Gbit/s and no delay. Segments of 1448 bytes, an ACK for two, SACK, timestamps. What is
// counted is counted from FROM_S on. Written for releases 3.35 to 3.44; record.py runs it, build.py builds what it needs.

#include "ns3/bulk-send-application.h"
#include "ns3/boolean.h"
#include "ns3/config.h"
#include "ns3/data-rate.h"
#include "ns3/drop-tail-queue.h"
#include "ns3/inet-socket-address.h"
#include "ns3/internet-stack-helper.h"
#include "ns3/ipv4-address-helper.h"
#include "ns3/ipv4-global-routing-helper.h"
#include "ns3/node-container.h"
#include "ns3/packet-sink.h"
#include "ns3/point-to-point-helper.h"
#include "ns3/point-to-point-net-device.h"
#include "ns3/simulator.h"
#include "ns3/string.h"
#include "ns3/tcp-socket-factory.h"
#include "ns3/traffic-control-helper.h"
#include "ns3/uinteger.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

using namespace ns3;

namespace
{
const double RATE = 10e6;
const uint16_t PORT = 5000;
const double STEP = 0.02;

double g_from = 0;
uint64_t g_sent_bytes = 0;
std::vector<std::vector<double>> g_rtts;
std::vector<Ptr<PacketSink>> g_sinks;
std::vector<std::vector<uint64_t>> g_delivered;
std::vector<uint32_t> g_queue;
Ptr<Queue<Packet>> g_bottleneck;

void
Sent(Ptr<const Packet> packet)
{
    if (Simulator::Now().GetSeconds() >= g_from)
    {
        g_sent_bytes += packet->GetSize();
    }
}

void
Sampled(uint32_t flow, Time, Time rtt)
{
    if (Simulator::Now().GetSeconds() >= g_from)
    {
        g_rtts[flow].push_back(rtt.GetSeconds());
    }
}

void
Watch(uint32_t flow, uint32_t node)
{
    Config::ConnectWithoutContext("/NodeList/" + std::to_string(node) + "/$ns3::TcpL4Protocol/SocketList/0/RTT",
                                  MakeBoundCallback(&Sampled, flow));
}

// What each receiver has, and what waits, every 20 ms.
void
Look()
{
    for (size_t flow = 0; flow < g_sinks.size(); ++flow)
    {
        g_delivered[flow].push_back(g_sinks[flow]->GetTotalRx());
    }
    g_queue.push_back(g_bottleneck->GetNPackets());
    Simulator::Schedule(Seconds(STEP), &Look);
}

double
Quantile(std::vector<double> values, double share)
{
    if (values.empty())
    {
        return -1;
    }
    std::sort(values.begin(), values.end());
    return values[static_cast<size_t>(share * (values.size() - 1))];
}
} // namespace

int
main(int argc, char* argv[])
{
    if (argc < 6)
    {
        std::fprintf(stderr, "dumbbell RTT_MS BUFFER_PACKETS SECONDS FROM_S START_S...\n");
        return 2;
    }
    const double rtt = std::atof(argv[1]) / 1e3;
    const std::string buffer = std::string(argv[2]) + "p";
    const double seconds = std::atof(argv[3]);
    g_from = std::atof(argv[4]);
    const uint32_t flows = argc - 5;

    Config::SetDefault("ns3::TcpL4Protocol::SocketType", StringValue("ns3::TcpBbr"));
    Config::SetDefault("ns3::TcpSocket::SegmentSize", UintegerValue(1448));
    Config::SetDefault("ns3::TcpSocket::InitialCwnd", UintegerValue(10));
    Config::SetDefault("ns3::TcpSocket::SndBufSize", UintegerValue(4 << 20));
    Config::SetDefault("ns3::TcpSocket::RcvBufSize", UintegerValue(4 << 20));
    Config::SetDefault("ns3::TcpSocket::DelAckCount", UintegerValue(2));
    Config::SetDefault("ns3::TcpSocket::DelAckTimeout", TimeValue(MilliSeconds(40)));
    Config::SetDefault("ns3::TcpSocketBase::Sack", BooleanValue(true));
    Config::SetDefault("ns3::TcpSocketBase::Timestamp", BooleanValue(true));

    // Routers first, then a pair of hosts for each flow.
    NodeContainer nodes;
    nodes.Create(2 + 2 * flows);
    InternetStackHelper stack;
    stack.Install(nodes);
    PointToPointHelper fast;
    fast.SetDeviceAttribute("DataRate", StringValue("10Gbps"));
    fast.SetChannelAttribute("Delay", StringValue("0ms"));
    PointToPointHelper slow;
    slow.SetDeviceAttribute("DataRate", DataRateValue(DataRate(static_cast<uint64_t>(RATE))));
    slow.SetChannelAttribute("Delay", TimeValue(Seconds(rtt / 2)));
    slow.SetQueue("ns3::DropTailQueue", "MaxSize", StringValue(buffer));
    std::vector<NetDeviceContainer> links = {slow.Install(nodes.Get(0), nodes.Get(1))};
    for (uint32_t flow = 0; flow < flows; ++flow)
    {
        links.push_back(fast.Install(nodes.Get(2 + 2 * flow), nodes.Get(0)));
        links.push_back(fast.Install(nodes.Get(1), nodes.Get(3 + 2 * flow)));
    }
    Ipv4AddressHelper addresses("10.0.0.0", "255.255.255.0");
    std::vector<Ipv4Address> ends;
    TrafficControlHelper control;
    for (const auto& link : links)
    {
        ends.push_back(addresses.Assign(link).GetAddress(1));
        addresses.NewNetwork();
        // With an address comes a queueing discipline; only the device's queue is to hold packets.
        control.Uninstall(link);
    }
    Ipv4GlobalRoutingHelper::PopulateRoutingTables();

    g_rtts.resize(flows);
    g_delivered.resize(flows);
    for (uint32_t flow = 0; flow < flows; ++flow)
    {
        const double start = std::atof(argv[5 + flow]);
        Ptr<PacketSink> sink = CreateObject<PacketSink>();
        sink->SetAttribute("Protocol", TypeIdValue(TcpSocketFactory::GetTypeId()));
        sink->SetAttribute("Local", AddressValue(InetSocketAddress(Ipv4Address::GetAny(), PORT)));
        nodes.Get(3 + 2 * flow)->AddApplication(sink);
        g_sinks.push_back(sink);
        Ptr<BulkSendApplication> source = CreateObject<BulkSendApplication>();
        source->SetAttribute("Protocol", TypeIdValue(TcpSocketFactory::GetTypeId()));
        source->SetAttribute("Remote", AddressValue(InetSocketAddress(ends[2 + 2 * flow], PORT)));
        source->SetAttribute("SendSize", UintegerValue(1448));
        source->SetStartTime(Seconds(start));
        nodes.Get(2 + 2 * flow)->AddApplication(source);
        Simulator::Schedule(Seconds(start + 0.0001), &Watch, flow, 2 + 2 * flow);
    }
    Ptr<PointToPointNetDevice> device = DynamicCast<PointToPointNetDevice>(links[0].Get(0));
    device->TraceConnectWithoutContext("PhyTxEnd", MakeCallback(&Sent));
    g_bottleneck = device->GetQueue();
    Simulator::Schedule(Seconds(0), &Look);
    Simulator::Stop(Seconds(seconds + 0.001));
    Simulator::Run();

    std::printf("{\"step\": %g, \"sent_bytes\": %llu, \"rtt\": [", STEP, static_cast<unsigned long long>(g_sent_bytes));
    for (uint32_t flow = 0; flow < flows; ++flow)
    {
        std::printf("%s[%.7f, %.7f, %.7f]",
                    flow ? ", " : "",
                    Quantile(g_rtts[flow], 0),
                    Quantile(g_rtts[flow], 0.5),
                    Quantile(g_rtts[flow], 0.95));
    }
    std::printf("], \"delivered\": [");
    for (uint32_t flow = 0; flow < flows; ++flow)
    {
        std::printf("%s[", flow ? ", " : "");
        for (size_t n = 0; n < g_delivered[flow].size(); ++n)
        {
            std::printf("%s%llu", n ? ", " : "", static_cast<unsigned long long>(g_delivered[flow][n]));
        }
        std::printf("]");
    }
    std::printf("], \"queue\": [");
    for (size_t n = 0; n < g_queue.size(); ++n)
    {
        std::printf("%s%u", n ? ", " : "", g_queue[n]);
    }
    std::printf("]}\n");
    // The operating system takes the memory back faster than Simulator::Destroy does.
    std::fflush(stdout);
    std::_Exit(0);
}
