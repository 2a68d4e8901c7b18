// The benchmark's dumbbell for ns-3: flows between two nodes over one link, nothing traced. Prints a line of JSON.
//
// ns-3's cheapest way to do the work: no access links, no queueing discipline above the device's own DropTail, counters that the
// queue keeps anyway. Written against ns-3.37.

#include "ns3/applications-module.h"
#include "ns3/core-module.h"
#include "ns3/internet-module.h"
#include "ns3/network-module.h"
#include "ns3/point-to-point-module.h"

#include <ctime>
#include <iostream>

using namespace ns3;

namespace
{
const uint32_t SEGMENT = 1448;
const uint16_t PORT = 5000;
} // namespace

int
main(int argc, char* argv[])
{
    std::string cc = "TcpLinuxReno";
    std::string rate = "100Mbps";
    double delayMs = 20;
    uint32_t limit = 333;
    uint32_t flows = 1;
    double seconds = 10;
    uint32_t buffer = 4000000;
    CommandLine command;
    command.AddValue("cc", "TypeId of the congestion control", cc);
    command.AddValue("rate", "of the link", rate);
    command.AddValue("delay", "of the link, one way, ms", delayMs);
    command.AddValue("limit", "of its queue, packets", limit);
    command.AddValue("flows", "how many", flows);
    command.AddValue("seconds", "simulated", seconds);
    command.AddValue("buffer", "of a socket, bytes: as much as the path holds, because a sender fills it at once", buffer);
    command.Parse(argc, argv);

    Config::SetDefault("ns3::TcpL4Protocol::SocketType", TypeIdValue(TypeId::LookupByName("ns3::" + cc)));
    Config::SetDefault("ns3::TcpSocket::SegmentSize", UintegerValue(SEGMENT));
    Config::SetDefault("ns3::TcpSocket::InitialCwnd", UintegerValue(10));
    Config::SetDefault("ns3::TcpSocket::SndBufSize", UintegerValue(buffer));
    Config::SetDefault("ns3::TcpSocket::RcvBufSize", UintegerValue(buffer));
    Config::SetDefault("ns3::TcpSocketBase::MinRto", TimeValue(MilliSeconds(200)));
    Config::SetDefault("ns3::TcpSocketBase::Sack", BooleanValue(true));
    Config::SetDefault("ns3::TcpSocketBase::Timestamp", BooleanValue(true));
    Config::SetDefault("ns3::DropTailQueue<Packet>::MaxSize", QueueSizeValue(QueueSize(QueueSizeUnit::PACKETS, limit)));

    NodeContainer nodes;
    nodes.Create(2);
    PointToPointHelper link;
    link.SetDeviceAttribute("DataRate", StringValue(rate));
    // With it comes a queueing discipline, and what finds the device's queue full is dropped above it, where nobody counts it.
    link.DisableFlowControl();
    link.SetChannelAttribute("Delay", TimeValue(MicroSeconds(static_cast<uint64_t>(delayMs * 1000))));
    NetDeviceContainer devices = link.Install(nodes);
    InternetStackHelper().Install(nodes);
    Ipv4AddressHelper addresses("10.0.0.0", "255.255.255.0");
    Ipv4InterfaceContainer interfaces = addresses.Assign(devices);

    PacketSinkHelper sink("ns3::TcpSocketFactory", InetSocketAddress(Ipv4Address::GetAny(), PORT));
    sink.Install(nodes.Get(1)).Start(Seconds(0));
    for (uint32_t n = 0; n < flows; ++n)
    {
        BulkSendHelper source("ns3::TcpSocketFactory", InetSocketAddress(interfaces.GetAddress(1), PORT));
        source.SetAttribute("SendSize", UintegerValue(SEGMENT));
        source.Install(nodes.Get(0)).Start(Seconds(static_cast<double>(n) / flows));
    }

    Simulator::Stop(Seconds(seconds));
    const std::clock_t began = std::clock();
    Simulator::Run();
    const double processor = static_cast<double>(std::clock() - began) / CLOCKS_PER_SEC;
    const auto queue = DynamicCast<PointToPointNetDevice>(devices.Get(0))->GetQueue();
    std::cout << "{\"delivered_packets\": " << queue->GetTotalReceivedPackets() - queue->GetNPackets()
              << ", \"lost_packets\": " << queue->GetTotalDroppedPackets() << ", \"events\": " << Simulator::GetEventCount()
              << ", \"processor_us\": " << static_cast<uint64_t>(processor * 1e6) << "}" << std::endl;
    Simulator::Destroy();
    return 0;
}
