// The benchmark's networks for ns-3, a chain of nodes with a link between neighbours, nothing
// traced: chain JOB. Prints a line of JSON.
//
// What the job says is written by run.py. This is ns-3's cheapest way to do the work: flows begin
// and end at the nodes of the chain where that is cheaper than hosts of their own, no routing
// protocol but the static one, no queueing discipline above a device's own DropTail unless the
// workload has one, counters that queues keep anyway. Written against ns-3.37.

#include "ns3/applications-module.h"
#include "ns3/core-module.h"
#include "ns3/internet-module.h"
#include "ns3/network-module.h"
#include "ns3/point-to-point-module.h"
#include "ns3/traffic-control-module.h"

#include <cstdlib>
#include <ctime>
#include <fstream>
#include <iostream>
#include <string>
#include <vector>

using namespace ns3;

namespace
{
const uint32_t SEGMENT = 1448;
const uint16_t PORT = 5000;

struct LinkOfJob
{
    uint64_t rate;
    double delay;
    uint32_t limit;
    std::string qdisc;
    double loss;
};

struct FlowOfJob
{
    std::string cc;
    uint32_t first;
    uint32_t last;
    double start;
};

struct Job
{
    double seconds = 0;
    uint32_t buffer = 131072;
    uint32_t hosts = 0;
    std::vector<LinkOfJob> links;
    std::vector<FlowOfJob> flows;
};

// Lines of a word and what belongs to it; run.py has their meaning.
Job
Read(const char* path)
{
    Job job;
    std::ifstream file(path);
    std::string word;
    while (file >> word)
    {
        if (word == "seconds")
        {
            file >> job.seconds;
        }
        else if (word == "buffer")
        {
            file >> job.buffer;
        }
        else if (word == "hosts")
        {
            file >> job.hosts;
        }
        else if (word == "link")
        {
            LinkOfJob link;
            file >> link.rate >> link.delay >> link.limit >> link.qdisc >> link.loss;
            job.links.push_back(link);
        }
        else if (word == "flow")
        {
            FlowOfJob flow;
            file >> flow.cc >> flow.first >> flow.last >> flow.start;
            job.flows.push_back(flow);
        }
        else
        {
            file.setstate(std::ios::failbit);
        }
    }
    if (!file.eof() || job.links.empty() || job.flows.empty())
    {
        std::cerr << path << " is no job" << std::endl;
        std::exit(2);
    }
    return job;
}

std::string
TypeOf(const std::string& cc)
{
    return cc == "reno" ? "ns3::TcpLinuxReno" : cc == "cubic" ? "ns3::TcpCubic" : "ns3::TcpBbr";
}

uint64_t g_corrupted = 0;

void
Corrupted(Ptr<const Packet>)
{
    ++g_corrupted;
}

void
Defaults(const Job& job)
{
    // One algorithm in all flows: it is the type of every socket.
    Config::SetDefault("ns3::TcpL4Protocol::SocketType",
                       TypeIdValue(TypeId::LookupByName(TypeOf(job.flows[0].cc))));
    Config::SetDefault("ns3::TcpSocket::SegmentSize", UintegerValue(SEGMENT));
    Config::SetDefault("ns3::TcpSocket::InitialCwnd", UintegerValue(10));
    // As much as the path holds, because a sender fills it at once.
    Config::SetDefault("ns3::TcpSocket::SndBufSize", UintegerValue(job.buffer));
    Config::SetDefault("ns3::TcpSocket::RcvBufSize", UintegerValue(job.buffer));
    Config::SetDefault("ns3::TcpSocket::DelAckCount", UintegerValue(2));
    Config::SetDefault("ns3::TcpSocket::DelAckTimeout", TimeValue(MilliSeconds(40)));
    Config::SetDefault("ns3::TcpSocket::ConnTimeout", TimeValue(Seconds(1)));
    // A connection is never given up.
    Config::SetDefault("ns3::TcpSocket::ConnCount", UintegerValue(1000000));
    Config::SetDefault("ns3::TcpSocket::DataRetries", UintegerValue(1000000));
    Config::SetDefault("ns3::TcpSocketBase::MinRto", TimeValue(MilliSeconds(200)));
    Config::SetDefault("ns3::TcpSocketBase::Sack", BooleanValue(true));
    Config::SetDefault("ns3::TcpSocketBase::Timestamp", BooleanValue(true));
}

PointToPointHelper
Wire(uint64_t rate, double delay, uint32_t limit)
{
    PointToPointHelper wire;
    wire.SetDeviceAttribute("DataRate", DataRateValue(DataRate(rate)));
    wire.SetChannelAttribute("Delay", TimeValue(Seconds(delay)));
    wire.SetQueue("ns3::DropTailQueue", "MaxSize",
                  QueueSizeValue(QueueSize(QueueSizeUnit::PACKETS, limit)));
    return wire;
}

class Chain
{
  public:
    explicit Chain(const Job& job)
    {
        InternetStackHelper stack;
        stack.SetRoutingHelper(Ipv4StaticRoutingHelper());
        stack.SetIpv6StackInstall(false);
        m_nodes.Create(job.links.size() + 1);
        stack.Install(m_nodes);
        for (uint32_t n = 0; n < job.links.size(); ++n)
        {
            Link(job.links[n], n);
        }
        Routes();
        if (job.hosts)
        {
            Hosts(stack, job.hosts);
        }
    }

    // Where the flows with this number begin or end, and the address of the latter.
    Ptr<Node> Source(const FlowOfJob& flow, uint32_t n) const
    {
        return m_left.GetN() ? m_left.Get(n % m_left.GetN()) : m_nodes.Get(flow.first);
    }

    Ptr<Node> Sink(const FlowOfJob& flow, uint32_t n) const
    {
        return m_right.GetN() ? m_right.Get(n % m_right.GetN()) : m_nodes.Get(flow.last);
    }

    Ipv4Address AddressOf(Ptr<Node> node) const
    {
        // Interface 0 is the loopback; 1 leads to the left, except at the left end.
        return node->GetObject<Ipv4>()->GetAddress(1, 0).GetLocal();
    }

    uint64_t Lost() const
    {
        uint64_t lost = g_corrupted;
        for (const auto& queue : m_queues)
        {
            lost += queue->GetTotalDroppedPackets();
        }
        for (const auto& disc : m_discs)
        {
            lost += disc->GetStats().nTotalDroppedPackets;
        }
        return lost;
    }

  private:
    void Link(const LinkOfJob& link, uint32_t n)
    {
        const bool fifo = link.qdisc == "fifo";
        PointToPointHelper wire = Wire(link.rate, link.delay, fifo ? link.limit : 1);
        if (fifo)
        {
            // With it comes a queueing discipline, and what finds the device's queue full is
            // dropped above it, where nobody counts it.
            wire.DisableFlowControl();
        }
        NetDeviceContainer devices = wire.Install(m_nodes.Get(n), m_nodes.Get(n + 1));
        if (!fifo)
        {
            TrafficControlHelper control;
            control.SetRootQueueDisc("ns3::FqCoDelQueueDisc", "MaxSize",
                                     QueueSizeValue(QueueSize(QueueSizeUnit::PACKETS, link.limit)));
            m_discs.push_back(control.Install(devices).Get(0));
        }
        m_queues.push_back(DynamicCast<PointToPointNetDevice>(devices.Get(0))->GetQueue());
        if (link.loss > 0)
        {
            Ptr<RateErrorModel> errors = CreateObject<RateErrorModel>();
            errors->SetUnit(RateErrorModel::ERROR_UNIT_PACKET);
            errors->SetRate(link.loss);
            errors->AssignStreams(1);
            devices.Get(1)->SetAttribute("ReceiveErrorModel", PointerValue(errors));
            devices.Get(1)->TraceConnectWithoutContext("PhyRxDrop", MakeCallback(&Corrupted));
        }
        const std::string network = "10.0." + std::to_string(n) + ".0";
        m_interfaces.push_back(Ipv4AddressHelper(network.c_str(), "255.255.255.0").Assign(devices));
    }

    static Ptr<Ipv4StaticRouting> Table(Ptr<Node> node)
    {
        return Ipv4RoutingHelper::GetRouting<Ipv4StaticRouting>(
            node->GetObject<Ipv4>()->GetRoutingProtocol());
    }

    void Routes()
    {
        const Ipv4Mask mask("255.255.255.0");
        for (uint32_t n = 0; n < m_nodes.GetN(); ++n)
        {
            for (uint32_t other = 0; other < m_interfaces.size(); ++other)
            {
                const Ipv4Address network = m_interfaces[other].GetAddress(0).CombineMask(mask);
                if (other > n)
                {
                    Table(m_nodes.Get(n))
                        ->AddNetworkRouteTo(network, mask, m_interfaces[n].GetAddress(1),
                                            n == 0 ? 1 : 2);
                }
                else if (other + 1 < n)
                {
                    Table(m_nodes.Get(n))
                        ->AddNetworkRouteTo(network, mask, m_interfaces[n - 1].GetAddress(0), 1);
                }
            }
        }
    }

    // Hosts on both sides of a chain of one link: a node finds the socket of a packet by going
    // through all that it has.
    void Hosts(InternetStackHelper& stack, uint32_t hosts)
    {
        m_left.Create(hosts);
        m_right.Create(hosts);
        stack.Install(m_left);
        stack.Install(m_right);
        PointToPointHelper wire = Wire(1000000000000, 0, 1000000);
        wire.DisableFlowControl();
        const Ipv4Mask mask("255.255.255.0");
        for (uint32_t side = 0; side < 2; ++side)
        {
            const NodeContainer& mine = side ? m_right : m_left;
            const Ptr<Node> router = m_nodes.Get(side);
            const std::string start = "10." + std::to_string(side + 1) + ".0.0";
            Ipv4AddressHelper addresses(start.c_str(), mask);
            for (uint32_t n = 0; n < hosts; ++n)
            {
                Ipv4InterfaceContainer interfaces =
                    addresses.Assign(wire.Install(mine.Get(n), router));
                addresses.NewNetwork();
                Table(mine.Get(n))->SetDefaultRoute(interfaces.GetAddress(1), 1);
            }
            Table(router)->SetDefaultRoute(m_interfaces[0].GetAddress(1 - side), 1);
        }
    }

    NodeContainer m_nodes;
    NodeContainer m_left;
    NodeContainer m_right;
    std::vector<Ipv4InterfaceContainer> m_interfaces;
    std::vector<Ptr<Queue<Packet>>> m_queues;
    std::vector<Ptr<QueueDisc>> m_discs;
};
} // namespace

int
main(int argc, char* argv[])
{
    if (argc != 2)
    {
        std::cerr << "chain JOB" << std::endl;
        return 2;
    }
    const Job job = Read(argv[1]);
    Defaults(job);
    const Chain chain(job);
    std::vector<Ptr<PacketSink>> sinks;
    std::vector<uint32_t> listening;
    for (uint32_t n = 0; n < job.flows.size(); ++n)
    {
        const FlowOfJob& flow = job.flows[n];
        const Ptr<Node> sink = chain.Sink(flow, n);
        const InetSocketAddress address(chain.AddressOf(sink), PORT);
        if (sink->GetNApplications() == 0)
        {
            PacketSinkHelper helper("ns3::TcpSocketFactory",
                                    InetSocketAddress(Ipv4Address::GetAny(), PORT));
            sinks.push_back(DynamicCast<PacketSink>(helper.Install(sink).Get(0)));
        }
        BulkSendHelper source("ns3::TcpSocketFactory", address);
        source.SetAttribute("SendSize", UintegerValue(SEGMENT));
        source.Install(chain.Source(flow, n)).Start(Seconds(flow.start));
    }

    Simulator::Stop(Seconds(job.seconds));
    const std::clock_t began = std::clock();
    Simulator::Run();
    const double processor = static_cast<double>(std::clock() - began) / CLOCKS_PER_SEC;
    uint64_t delivered = 0;
    for (const auto& sink : sinks)
    {
        delivered += sink->GetTotalRx() / SEGMENT;
    }
    std::cout << "{\"delivered_packets\": " << delivered << ", \"lost_packets\": " << chain.Lost()
              << ", \"events\": " << Simulator::GetEventCount()
              << ", \"processor_us\": " << static_cast<uint64_t>(processor * 1e6) << "}"
              << std::endl;
    // The operating system takes the memory back faster than Simulator::Destroy does.
    std::cout.flush();
    std::_Exit(0);
}
