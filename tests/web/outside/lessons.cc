// One bottleneck in ns-3.37, with the flows of a lesson; writes time series as CSV. ns3.py builds
// and runs it.
#include "ns3/applications-module.h"
#include "ns3/core-module.h"
#include "ns3/internet-module.h"
#include "ns3/network-module.h"
#include "ns3/point-to-point-module.h"
#include "ns3/traffic-control-module.h"

#include <fstream>
#include <iostream>
#include <sstream>

using namespace ns3;

namespace
{

/// One TCP flow: its sender's socket, and what the samples need of it.
struct Flow
{
    std::string name, cc;
    double start, extra; // extra: additional round-trip time, s
    uint32_t ssthresh;   // segments; 0: none
    Ptr<Socket> socket;
    Ptr<PacketSink> sink;
    uint32_t cwnd{0}, threshold{0}, inflight{0};
    double rate{0}, rtt{0};
    std::string state{"open"};
};

std::vector<Flow> flows;
Ptr<PointToPointNetDevice> bottleneck;
Ptr<QueueDisc> discipline;
uint64_t dropped = 0, waited = 0;
double waitedSum = 0, waitedMax = 0;
std::ofstream samples, links, calls;
uint32_t mss = 1448;

std::vector<std::string>
Split(const std::string& text, char by)
{
    std::vector<std::string> parts;
    std::stringstream stream(text);
    for (std::string part; std::getline(stream, part, by);)
        parts.push_back(part);
    return parts;
}

/// The queue's own packets, without the one on the wire.
uint32_t
Waiting()
{
    return discipline ? discipline->GetNPackets() : bottleneck->GetQueue()->GetNPackets();
}

void
Sample(double period, double end)
{
    double now = Simulator::Now().GetSeconds();
    for (auto& flow : flows)
        if (flow.socket)
            samples << now << ',' << flow.name << ',' << flow.cwnd << ','
                    << (flow.threshold > 1000000000u ? 0 : flow.threshold) << ',' << flow.state
                    << ',' << flow.sink->GetTotalRx() << ',' << flow.inflight << ',' << flow.rate
                    << ',' << flow.rtt << '\n';
    links << now << ',' << Waiting() << ',' << dropped << '\n';
    if (now + period < end + 1e-9)
        Simulator::Schedule(Seconds(period), &Sample, period, end);
}

void
StartFlow(uint32_t index, Ptr<Node> host, InetSocketAddress to, std::string type)
{
    Flow& flow = flows[index];
    flow.socket = Socket::CreateSocket(host, TcpSocketFactory::GetTypeId());
    Ptr<TcpSocketBase> tcp = DynamicCast<TcpSocketBase>(flow.socket);
    ObjectFactory factory;
    factory.SetTypeId("ns3::" + type);
    if (flow.cc == "cubic-classic")
        factory.Set("HyStart", BooleanValue(false));
    tcp->SetCongestionControlAlgorithm(factory.Create<TcpCongestionOps>());
    if (flow.ssthresh)
        flow.socket->SetAttribute("InitialSlowStartThreshold",
                                  UintegerValue(flow.ssthresh * mss));
    flow.socket->TraceConnectWithoutContext(
        "CongestionWindow", Callback<void, uint32_t, uint32_t>([index](uint32_t, uint32_t now) {
            flows[index].cwnd = now;
        }));
    flow.socket->TraceConnectWithoutContext(
        "SlowStartThreshold", Callback<void, uint32_t, uint32_t>([index](uint32_t, uint32_t now) {
            flows[index].threshold = now;
        }));
    flow.socket->TraceConnectWithoutContext(
        "BytesInFlight", Callback<void, uint32_t, uint32_t>([index](uint32_t, uint32_t now) {
            flows[index].inflight = now;
        }));
    flow.socket->TraceConnectWithoutContext(
        "PacingRate", Callback<void, DataRate, DataRate>([index](DataRate, DataRate now) {
            flows[index].rate = now.GetBitRate();
        }));
    flow.socket->TraceConnectWithoutContext(
        "RTT", Callback<void, Time, Time>([index](Time, Time now) {
            flows[index].rtt = now.GetSeconds();
        }));
    flow.socket->TraceConnectWithoutContext(
        "CongState",
        Callback<void, TcpSocketState::TcpCongState_t, TcpSocketState::TcpCongState_t>(
            [index](TcpSocketState::TcpCongState_t, TcpSocketState::TcpCongState_t now) {
                flows[index].state = now == TcpSocketState::CA_RECOVERY ? "recovery"
                                     : now == TcpSocketState::CA_LOSS   ? "loss"
                                                                        : "open";
            }));
    auto fill = [](Ptr<Socket> socket, uint32_t) {
        while (socket->GetTxAvailable() > 0 &&
               socket->Send(Create<Packet>(std::min(socket->GetTxAvailable(), 65536u))) > 0)
        {
        }
    };
    flow.socket->SetSendCallback(Callback<void, Ptr<Socket>, uint32_t>(fill));
    flow.socket->SetConnectCallback(
        Callback<void, Ptr<Socket>>([fill](Ptr<Socket> socket) { fill(socket, 0); }),
        MakeNullCallback<void, Ptr<Socket>>());
    flow.socket->Bind();
    flow.socket->Connect(to);
}

} // namespace

int
main(int argc, char* argv[])
{
    std::string rate = "10Mbps", given, qdisc = "fifo", limit = "50p", out = "out", call;
    std::string later, recovery = "prr";
    double delay = 0.03, end = 10, period = 0.01, loss = 0;
    uint32_t window = 10, seed = 1;
    CommandLine cmd;
    cmd.AddValue("rate", "rate of the bottleneck", rate);
    cmd.AddValue("later", "SECONDS=RATE: a change of the rate", later);
    cmd.AddValue("delay", "one-way delay of the bottleneck, s", delay);
    cmd.AddValue("qdisc", "fifo, codel or fq_codel", qdisc);
    cmd.AddValue("limit", "packets that may wait, with p", limit);
    cmd.AddValue("loss", "share of packets lost on the wire", loss);
    cmd.AddValue("flows", "NAME:CC:START:EXTRA_RTT:SSTHRESH joined by commas", given);
    cmd.AddValue("call", "file of times at which datagrams of 160 bytes are sent", call);
    cmd.AddValue("window", "initial window, segments", window);
    cmd.AddValue("end", "duration, s", end);
    cmd.AddValue("period", "period of the samples, s", period);
    cmd.AddValue("seed", "seed of random losses", seed);
    cmd.AddValue("recovery", "prr or classic", recovery);
    cmd.AddValue("out", "prefix of the files that are written", out);
    cmd.Parse(argc, argv);
    RngSeedManager::SetSeed(seed);

    Config::SetDefault("ns3::TcpSocket::SegmentSize", UintegerValue(mss));
    Config::SetDefault("ns3::TcpSocket::InitialCwnd", UintegerValue(window));
    Config::SetDefault("ns3::TcpSocket::SndBufSize", UintegerValue(64000000));
    Config::SetDefault("ns3::TcpSocket::RcvBufSize", UintegerValue(64000000));
    Config::SetDefault("ns3::TcpSocketBase::MinRto", TimeValue(MilliSeconds(200)));
    Config::SetDefault("ns3::TcpL4Protocol::RecoveryType",
                       TypeIdValue(TypeId::LookupByName(recovery == "prr"
                                                            ? "ns3::TcpPrrRecovery"
                                                            : "ns3::TcpClassicRecovery")));

    NodeContainer routers(2);
    InternetStackHelper stack;
    PointToPointHelper wire;
    // A frame of ns-3 has two bytes of PPP more than a packet: the rate is scaled by 1502/1500.
    auto scaled = [](const std::string& text) {
        return DataRate(uint64_t(DataRate(text).GetBitRate() * 1502.0 / 1500.0));
    };
    wire.SetDeviceAttribute("DataRate", DataRateValue(scaled(rate)));
    wire.SetChannelAttribute("Delay", TimeValue(Seconds(delay)));
    wire.SetQueue("ns3::DropTailQueue<Packet>",
                  "MaxSize",
                  StringValue(qdisc == "fifo" ? limit : "1p"));
    stack.Install(routers);
    NetDeviceContainer middle = wire.Install(routers);
    bottleneck = DynamicCast<PointToPointNetDevice>(middle.Get(0));
    TrafficControlHelper control;
    if (qdisc == "codel")
        control.SetRootQueueDisc("ns3::CoDelQueueDisc", "MaxSize", StringValue(limit));
    else if (qdisc == "fq_codel")
        control.SetRootQueueDisc("ns3::FqCoDelQueueDisc", "MaxSize", StringValue(limit));
    if (qdisc != "fifo")
        discipline = control.Install(middle.Get(0)).Get(0);
    Ipv4AddressHelper address;
    address.SetBase("10.255.0.0", "255.255.255.0");
    address.Assign(middle);
    // The helper gives every device a queue discipline of its own; a FIFO's is the device's queue.
    if (qdisc == "fifo")
        TrafficControlHelper().Uninstall(middle.Get(0));
    TrafficControlHelper().Uninstall(middle.Get(1));
    // A full device queue stops the layer above, which drops.
    if (qdisc == "fifo")
        routers.Get(0)->GetObject<TrafficControlLayer>()->TraceConnectWithoutContext(
            "TcDrop", Callback<void, Ptr<const Packet>>([](Ptr<const Packet>) { dropped++; }));
    else
        discipline->TraceConnectWithoutContext(
            "Drop",
            Callback<void, Ptr<const QueueDiscItem>>([](Ptr<const QueueDiscItem>) { dropped++; }));
    if (loss > 0)
    {
        Ptr<RateErrorModel> errors = CreateObject<RateErrorModel>();
        errors->SetUnit(RateErrorModel::ERROR_UNIT_PACKET);
        errors->SetRate(loss);
        middle.Get(1)->SetAttribute("ReceiveErrorModel", PointerValue(errors));
    }
    if (!later.empty())
    {
        auto parts = Split(later, '=');
        DataRate to = scaled(parts[1]);
        Simulator::Schedule(Seconds(std::stod(parts[0])), [to, middle] {
            for (uint32_t i = 0; i < 2; i++)
                middle.Get(i)->SetAttribute("DataRate", DataRateValue(to));
        });
    }

    samples.open(out + ".flows.csv");
    links.open(out + ".links.csv");
    samples << "time,flow,cwnd,ssthresh,state,delivered,inflight,pacing_rate,rtt\n";
    links << "time,queue_packets,dropped\n";

    uint32_t net = 0;
    auto pair = [&](double extra) {
        NodeContainer hosts(2);
        stack.Install(hosts);
        PointToPointHelper fast;
        fast.SetDeviceAttribute("DataRate", StringValue("10Gbps"));
        fast.SetChannelAttribute("Delay", TimeValue(Seconds(extra / 4)));
        fast.SetQueue("ns3::DropTailQueue<Packet>", "MaxSize", StringValue("100000p"));
        Ipv4InterfaceContainer far;
        for (uint32_t side = 0; side < 2; side++)
        {
            NetDeviceContainer devices = fast.Install(hosts.Get(side), routers.Get(side));
            std::stringstream base;
            base << "10." << side + 1 << '.' << net << ".0";
            address.SetBase(base.str().c_str(), "255.255.255.0");
            far = address.Assign(devices);
            TrafficControlHelper().Uninstall(devices);
        }
        net++;
        return std::make_pair(hosts, far.GetAddress(0));
    };
    for (const auto& text : Split(given, ','))
    {
        auto parts = Split(text, ':');
        Flow flow;
        flow.name = parts[0];
        flow.cc = parts[1];
        flow.start = std::stod(parts[2]);
        flow.extra = std::stod(parts[3]);
        flow.ssthresh = std::stoul(parts[4]);
        auto [hosts, to] = pair(flow.extra);
        uint32_t index = flows.size();
        PacketSinkHelper sink("ns3::TcpSocketFactory", InetSocketAddress(Ipv4Address::GetAny(), 9));
        flow.sink = DynamicCast<PacketSink>(sink.Install(hosts.Get(1)).Get(0));
        flows.push_back(flow);
        std::string type = flow.cc == "reno"    ? "TcpLinuxReno"
                           : flow.cc == "bbr"   ? "TcpBbr"
                           : flow.cc == "vegas" ? "TcpVegas"
                                                : "TcpCubic";
        Simulator::Schedule(Seconds(flow.start),
                            &StartFlow,
                            index,
                            hosts.Get(0),
                            InetSocketAddress(to, 9),
                            type);
    }
    Ptr<Socket> caller;
    if (!call.empty())
    {
        calls.open(out + ".call.csv");
        calls << "sent,delay\n";
        auto [hosts, to] = pair(0);
        Ptr<Socket> callee = Socket::CreateSocket(hosts.Get(1), UdpSocketFactory::GetTypeId());
        callee->Bind(InetSocketAddress(Ipv4Address::GetAny(), 5004));
        callee->SetRecvCallback(Callback<void, Ptr<Socket>>([](Ptr<Socket> socket) {
            while (Ptr<Packet> packet = socket->Recv())
            {
                uint64_t stamp;
                packet->CopyData(reinterpret_cast<uint8_t*>(&stamp), sizeof stamp);
                calls << stamp / 1e9 << ',' << Simulator::Now().GetSeconds() - stamp / 1e9 << '\n';
            }
        }));
        caller = Socket::CreateSocket(hosts.Get(0), UdpSocketFactory::GetTypeId());
        caller->Bind();
        caller->Connect(InetSocketAddress(to, 5004));
        std::ifstream times(call);
        for (double at; times >> at;)
            // 160 bytes of speech and 12 of RTP; IPv4 and UDP add 28.
            Simulator::Schedule(Seconds(at), [caller] {
                uint8_t bytes[172] = {0};
                uint64_t stamp = Simulator::Now().GetNanoSeconds();
                std::copy_n(reinterpret_cast<uint8_t*>(&stamp), sizeof stamp, bytes);
                caller->Send(Create<Packet>(bytes, sizeof bytes));
            });
    }
    Ipv4GlobalRoutingHelper::PopulateRoutingTables();
    samples.precision(9);
    links.precision(9);
    calls.precision(9);
    Simulator::Schedule(Seconds(0), &Sample, period, end);
    Simulator::Stop(Seconds(end + 1e-6));
    Simulator::Run();
    std::cout << "dropped " << dropped << '\n';
    for (auto& flow : flows)
        std::cout << flow.name << ' ' << flow.sink->GetTotalRx() << '\n';
    Simulator::Destroy();
}
