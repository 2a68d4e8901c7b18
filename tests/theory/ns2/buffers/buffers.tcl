# Networks of the study sizing-buffers in ns-2 (Appenzeller, Keslassy & McKeown 2004).
#
#     ns buffers.tcl -n 100 -rate 155e6 -delay 0.025 -near 0.0025 -far 0.0225 -limit 65 -tcp Reno -seed 1 ...
#
# n long flows, `-near` to `-far` seconds of access delay on either side (uniform, one draw for
# each flow), share a link of `-rate` bit/s and `-delay` seconds. `-limit` is ns-2's: a limit of
# 65 lets 64 packets wait (drop-tail.cc counts the packet that is being sent). `-load` above 0
# adds short flows of `-length` packets, a Poisson process that offers this share of the link; all
# of them have one draw of the access delay, or no access links where there are no long flows.
# What happens between `-from` and `-until` seconds is counted. `-packet` is the payload,
# `-window` the initial window of long flows, in packets; short flows have two. `-near` below 0:
# no access links. `-drops FILE` lists the dropped packets, `-windows FILE` the sum of the windows
# each 0.1 s, `-trace FILE` the first window and the queue each 50 ms. `-handshake 0` sends data
# at once. It prints one line of names and numbers.
array set opt {-n 1 -rate 8e6 -delay 0.071 -near -1 -far -1 -limit 143 -packet 1460 -tcp Reno -seed 1 -window 1
    -starts 5.0 -from 15 -until 40 -load 0 -length 14 -agents 800 -drops "" -handshake 1 -windows "" -trace ""}
foreach {k v} $argv { set opt($k) $v }

remove-all-packet-headers
add-packet-header IP TCP Flags
ns-random $opt(-seed)
set ns [new Simulator]
$ns use-scheduler Heap
$ns rtproto Manual
# A SYN of 40 bytes, and the initial window after its ACK: ns-2's default since 2001.
Agent/TCP set syn_ [expr {$opt(-handshake) ? "true" : "false"}]
Agent/TCP set delay_growth_ [expr {$opt(-handshake) ? "true" : "false"}]
# No limit but cwnd. All else of Agent/TCP/Reno is ns-2's default: an ACK for each packet, no SACK.
Agent/TCP set window_ 1000000
Agent/TCP set windowInit_ $opt(-window)
Agent/TCP set packetSize_ $opt(-packet)
set sink_kind TCPSink
if {$opt(-tcp) ne "Reno"} {
    # A Linux host, as far as ns-2 goes: SACK, timestamps of 12 bytes on the wire, delayed ACKs, clocks of 1 ms.
    set sink_kind TCPSink/Sack1/DelAck
    Agent/TCP set timestamps_ true
    Agent/TCP set bugFix_ts_ true
    Agent/TCP set tcpip_base_hdr_size_ 42
    Agent/TCP set ts_option_size_ 10
    Agent/TCP set tcpTick_ 0.001
    Agent/TCP set rtxcur_init_ 1
    Agent/TCP set maxrto_ 120
    Agent/TCPSink set packetSize_ 52
    Agent/TCPSink set ts_echo_bugfix_ true
    Agent/TCPSink/DelAck set interval_ 40ms
}
set tcp_kind Agent/TCP/$opt(-tcp)

set rng [new RNG]
$rng seed $opt(-seed)
# Fast enough to be of no effect: 0.012 us for a packet.
set fast 1e12
set left [$ns node]
set right [$ns node]
$ns duplex-link $left $right $opt(-rate) $opt(-delay)s DropTail
$ns queue-limit $left $right $opt(-limit)
$ns queue-limit $right $left 10000000
[$left get-module Manual] add-route-to-adj-node -default $right
[$right get-module Manual] add-route-to-adj-node -default $left
set bottleneck [$ns monitor-queue $left $right ""]
if {$opt(-drops) ne ""} {
    set file [open $opt(-drops) w]
    set traced [$ns create-trace Drop $file $left $right]
    # The monitor goes on seeing what is dropped.
    $traced target [[$ns link $left $right] set snoopDrop_]
    [[$ns link $left $right] queue] drop-target $traced
}

# Nodes of a host at either side; without access links the routers are the hosts.
proc hosts {} {
    global ns opt rng fast left right
    if {$opt(-near) < 0} { return [list $left $right] }
    set delay [$rng uniform $opt(-near) $opt(-far)]
    set from [$ns node]
    set to [$ns node]
    foreach {end router} [list $from $left $to $right] {
        $ns duplex-link $end $router $fast ${delay}s DropTail
        $ns queue-limit $end $router 10000000
        $ns queue-limit $router $end 10000000
        [$end get-module Manual] add-route-to-adj-node -default $router
        [$router get-module Manual] add-route-to-adj-node $end
    }
    return [list $from $to]
}

proc connection {kind from to id} {
    global ns sink_kind
    set agent [new $kind]
    set sink [new Agent/$sink_kind]
    $agent set fid_ $id
    $ns attach-agent $from $agent
    $ns attach-agent $to $sink
    $ns connect $agent $sink
    return [list $agent $sink]
}

for {set i 0} {$i < $opt(-n)} {incr i} {
    lassign [hosts] from to
    lassign [connection $tcp_kind $from $to $i] tcp($i) sink
    set file_ [new Application/FTP]
    $file_ attach-agent $tcp($i)
    $ns at [$rng uniform 0 $opt(-starts)] "$file_ start"
}

# Short flows take the agent that has been idle for longest, so that nothing of its last flow is
# still on its way.
set first 0
set last 0
set taken 0.0
set finished 0
set lacking 0
proc arrive {} {
    global ns opt rng interval idle first last lacking sinks began
    $ns after [expr {-$interval * log(1 - [$rng uniform 0 1])}] arrive
    if {$first == $last} {
        incr lacking
        return
    }
    set agent $idle($first)
    unset idle($first)
    incr first
    $agent reset
    $sinks($agent) reset
    set began($agent) [$ns now]
    $agent advanceby $opt(-length)
}
proc arrived {agent} {
    global ns opt idle last began taken finished
    if {$began($agent) >= $opt(-from)} {
        set taken [expr {$taken + [$ns now] - $began($agent)}]
        incr finished
    }
    set idle($last) $agent
    incr last
}
if {$opt(-load) > 0} {
    set interval [expr {8.0 * $opt(-length) * ($opt(-packet) + 40) / ($opt(-load) * $opt(-rate))}]
    lassign [hosts] from to
    for {set i 0} {$i < $opt(-agents)} {incr i} {
        lassign [connection $tcp_kind $from $to 1000000] agent sink
        $agent set windowInit_ 2
        $agent proc done {} "arrived $agent"
        set sinks($agent) $sink
        set idle($last) $agent
        incr last
    }
    $ns at 0 {$ns after [expr {-$interval * log(1 - [$rng uniform 0 1])}] arrive}
}

proc counts {} {
    global bottleneck opt tcp
    set timeouts 0
    for {set i 0} {$i < $opt(-n)} {incr i} { incr timeouts [$tcp($i) set nrexmit_] }
    list [$bottleneck set parrivals_] [$bottleneck set pdepartures_] [$bottleneck set bdepartures_] \
        [[$bottleneck get-pkts-integrator] set sum_] $timeouts
}
# The queue's length each 10 ms, by how often it was so long.
proc look {} {
    global ns bottleneck lengths
    incr lengths([$bottleneck set pkts_])
    $ns after 0.01 look
}
proc begin {} {
    global opt before
    set before [counts]
    if {$opt(-n) == 1} look
}
proc finish {} {
    global opt before lengths taken finished lacking
    foreach old $before new [counts] name {arrived departed bytes waited timeouts} {
        set $name [expr {$new - $old}]
    }
    set seconds [expr {double($opt(-until) - $opt(-from))}]
    puts -nonewline "arrived [expr {int($arrived)}] departed [expr {int($departed)}] timeouts $timeouts\
        busy [format %.6f [expr {8 * $bytes / $opt(-rate) / $seconds}]]\
        wait [format %.8f [expr {$waited / $departed}]] finished $finished lacking $lacking\
        taken [format %.6f [expr {$finished ? $taken / $finished : 0}]]"
    if {[info exists lengths]} {
        set all 0
        foreach {length often} [array get lengths] { incr all $often }
        set below 0
        foreach length [lsort -integer [array names lengths]] {
            incr below $lengths($length)
            if {$below >= 0.05 * $all} break
        }
        puts -nonewline " p5 $length empty [expr {[info exists lengths(0)] ? double($lengths(0)) / $all : 0}]"
    }
    puts ""
    exit 0
}
if {$opt(-windows) ne ""} {
    set sums [open $opt(-windows) w]
    proc add {} {
        global ns opt tcp sums bottleneck
        set sum 0.0
        for {set i 0} {$i < $opt(-n)} {incr i} { set sum [expr {$sum + [$tcp($i) set cwnd_]}] }
        puts $sums "[$ns now] $sum [$bottleneck set pkts_]"
        $ns after 0.1 add
    }
    $ns at 0 add
}
if {$opt(-trace) ne ""} {
    set curve [open $opt(-trace) w]
    proc point {} {
        global ns tcp curve bottleneck
        puts $curve "[$ns now] [$tcp(0) set cwnd_] [$bottleneck set pkts_]"
        $ns after 0.05 point
    }
    $ns at 0 point
}
$ns at $opt(-from) begin
$ns at $opt(-until) finish
$ns run
