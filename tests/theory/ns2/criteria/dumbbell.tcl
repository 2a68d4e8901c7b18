# Connections through one bottleneck in ns-2, for the study tcp-criteria (Pham & Le 2005, P4).
#
#     ns dumbbell.tcl -rate 300000000 -delay 0.05 -limit 2501 -loss 1e-3 -duration 400 -warmup 20 \
#         -seed 1 -agents "{reno 0.3 200} {udp:10000000 0 0}"
#
# -rate      bit/s, in digits alone
# -delay     one way, s
# -limit     packets; DropTail lets one less wait
# -loss      chance that a packet is lost; or -drops, a list of those that are
# -red       thresh maxthresh max_p weight, packets; without it the queue is DropTail
# -receive   the receiver's window, packets
# -agents    {kind start ssthresh} ..., ssthresh 0 for none; kinds are reno, multcp:N, scalable:A:B,
#            highspeed, vegas, cubic, udp:RATE, aimd:A:B, linux:NAME, cos and plain,
#            which is Reno without SACK
# -cos       the plug-in of cos.cc, which the kind cos needs
# -late      s from a start until its ssthresh is set. In ns-2 a connection's first cut is a half,
#            whatever the control; an early loss can then be that first cut.
#
# Senders and receivers are at the routers themselves: no access link adds a queue or a delay. A
# packet has 1448 bytes of payload and 1500 on the wire; each is acknowledged. -sample, s, prints
# "cwnd TIME WINDOW ..." and "ack TIME PACKETS ..."; -queue, s, prints "queue TIME WAITING DROPPED",
# packets. At the end it prints, all from the end of the warm-up on, "link" with packets and
# bytes that left, packets dropped, packets that came and packets x s that waited, and for each TCP
# agent "agent INDEX SENT ACKED". Bytes overflow above 2 GB.
array set opt {
    -rate 1e7 -delay 0.05 -limit 100 -loss 0 -drops {} -red {} -receive 1000000 -late 0
    -duration 10 -warmup 0 -seed 1 -minrto 1.0 -sample 0 -queue 0 -agents {}
    -cos ""
}
foreach {k v} $argv { set opt($k) $v }
if {$opt(-cos) != ""} { load $opt(-cos) cos }

remove-all-packet-headers
add-packet-header IP TCP Flags RTP
set ns [new Simulator]
$ns use-scheduler Heap
ns-random $opt(-seed)

Agent/TCP set window_ $opt(-receive)
Agent/TCP set windowInit_ 10
Agent/TCP set packetSize_ 1448
Agent/TCP set tcpip_base_hdr_size_ 52
Agent/TCP set tcpTick_ 0.001
Agent/TCP set minrto_ $opt(-minrto)
Agent/TCP set maxrto_ 120
Agent/TCP set rtxcur_init_ 1.0
Agent/TCP/Linux set minrto_ $opt(-minrto)
Agent/TCP/Vegas set v_alpha_ 2
Agent/TCP/Vegas set v_beta_ 4
Queue/RED set bytes_ false
Queue/RED set queue_in_bytes_ false
Queue/RED set mean_pktsize_ 1500

set a [$ns node]
set b [$ns node]
if {$opt(-red) != ""} {
    $ns simplex-link $a $b $opt(-rate) $opt(-delay) RED
    set red [[$ns link $a $b] queue]
    foreach {name value} [list thresh_ [lindex $opt(-red) 0] maxthresh_ [lindex $opt(-red) 1] \
        linterm_ [expr {1.0 / [lindex $opt(-red) 2]}] q_weight_ [lindex $opt(-red) 3]] {
        $red set $name $value
    }
} else {
    $ns simplex-link $a $b $opt(-rate) $opt(-delay) DropTail
}
$ns simplex-link $b $a 100Gb $opt(-delay) DropTail
$ns queue-limit $a $b $opt(-limit)
$ns queue-limit $b $a 10000000
if {$opt(-loss) > 0} {
    set errors [new ErrorModel]
    $errors unit pkt
    $errors set rate_ $opt(-loss)
    $errors ranvar [new RandomVariable/Uniform]
} elseif {$opt(-drops) != ""} {
    set errors [new ErrorModel/List]
    $errors droplist $opt(-drops)
}
if {[info exists errors]} {
    $errors drop-target [new Agent/Null]
    $ns lossmodel $errors $a $b
}
set monitor [$ns monitor-queue $a $b ""]
set waited [$monitor get-pkts-integrator]

set n 0
set senders {}
foreach each $opt(-agents) {
    foreach {kind start ssthresh} $each break
    set words [split $kind :]
    switch [lindex $words 0] {
        udp {
            set agent [new Agent/UDP]
            $agent set packetSize_ 1500
            set sink [new Agent/Null]
            set app [new Application/Traffic/CBR]
            $app set packetSize_ 1500
            $app set rate_ [lindex $words 1]
        }
        vegas {
            set agent [new Agent/TCP/Vegas]
            # Vegas alone adds no header.
            $agent set packetSize_ 1500
        }
        cos { set agent [new Agent/TCP/Reno/Cos] }
        plain { set agent [new Agent/TCP/Reno] }
        cubic - linux {
            set agent [new Agent/TCP/Linux]
            $agent set timestamps_ true
            # They are a part of the 52 bytes.
            $agent set ts_option_size_ 0
        }
        default { set agent [new Agent/TCP/Sack1] }
    }
    switch [lindex $words 0] {
        multcp {
            $agent set increase_num_ [lindex $words 1]
            $agent set decrease_num_ [expr {1.0 - 0.5 / [lindex $words 1]}]
        }
        scalable {
            # Binomial: cwnd += A / (cwnd cwnd^-1) on each ACK; a loss leaves (1 - B) cwnd^1.
            $agent set windowOption_ 6
            $agent set k_parameter_ -1.0
            $agent set l_parameter_ 1.0
            $agent set increase_num_ [lindex $words 1]
            $agent set decrease_num_ [expr {1.0 - [lindex $words 2]}]
        }
        aimd {
            $agent set increase_num_ [lindex $words 1]
            $agent set decrease_num_ [expr {1.0 - [lindex $words 2]}]
        }
        highspeed { $agent set windowOption_ 8 }
    }
    if {[lindex $words 0] != "udp"} {
        set sink [new Agent/TCPSink[expr {$kind in {vegas cos plain} ? "" : "/Sack1"}]]
        set app [new Application/FTP]
        lappend senders $n
    }
    $ns attach-agent $a $agent
    $ns attach-agent $b $sink
    $ns connect $agent $sink
    $app attach-agent $agent
    if {$kind == "cubic"} {
        $ns at 0 "$agent select_ca cubic"
        # What Linux has had since 2.6.25 (0.7); the region of Reno's rules keeps to 0.8.
        $ns at 0 "$agent set_ca_default_param cubic beta 717"
    }
    if {[lindex $words 0] == "linux"} { $ns at 0 "$agent select_ca [lindex $words 1]" }
    if {$ssthresh > 0} { $ns at [expr {$start + $opt(-late)}] "$agent set ssthresh_ $ssthresh" }
    $ns at $start "$app start"
    set tcp($n) $agent
    incr n
}

proc counted {} {
    global ns monitor waited tcp senders
    $waited newpoint [$ns now] [$waited set lasty_]
    set found [list [$monitor set pdepartures_] [$monitor set bdepartures_] [$monitor set pdrops_] \
        [$monitor set parrivals_] [$waited set sum_]]
    foreach i $senders { lappend found [$tcp($i) set ndatapack_] [$tcp($i) set ack_] }
    return $found
}
proc sample {} {
    global ns opt tcp senders
    set windows {}
    set acked {}
    foreach i $senders {
        lappend windows [format %.6g [$tcp($i) set cwnd_]]
        lappend acked [$tcp($i) set ack_]
    }
    set now [format %.3f [$ns now]]
    puts "cwnd $now $windows"
    puts "ack $now $acked"
    $ns at [expr {[$ns now] + $opt(-sample)}] sample
}
proc watch {} {
    global ns opt waited monitor
    set now [format %.3f [$ns now]]
    puts "queue $now [expr {int([$waited set lasty_])}] [$monitor set pdrops_]"
    $ns at [expr {[$ns now] + $opt(-queue)}] watch
}
proc finish {} {
    global before senders
    set after [counted]
    set found {}
    foreach late $after early $before { lappend found [expr {$late - $early}] }
    puts "link [lrange $found 0 4]"
    foreach i $senders {
        puts "agent $i [lrange $found 5 6]"
        set found [lreplace $found 5 6]
    }
    exit 0
}
if {$opt(-sample) > 0} { $ns at $opt(-sample) sample }
if {$opt(-queue) > 0} { $ns at $opt(-warmup) watch }
$ns at $opt(-warmup) { set before [counted] }
$ns at $opt(-duration) finish
$ns run
