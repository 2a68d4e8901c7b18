# P1's network in ns-2: n connections with a file each through one bottleneck (Ru & Liu 2007, P1-F6).
#
#     ns p1.tcl -n 20 -seed 1 -stagger 1.0 [-cos FILE]
#
# prints one line: packets dropped at the bottleneck, timeouts, packets sent again. `-cos` loads the plug-in of cos.cc.
array set opt {-n 20 -seed 1 -stagger 1.0 -cos ""}
foreach {k v} $argv { set opt($k) $v }
if {$opt(-cos) != ""} { load $opt(-cos) cos }

remove-all-packet-headers
add-packet-header IP TCP Flags
set ns [new Simulator]
$ns use-scheduler Heap
$ns rtproto Manual
# No limit but cwnd; everything else is ns-2's default.
Agent/TCP set window_ 100000
Agent/TCP set windowInit_ 1

set r1 [$ns node]
set r2 [$ns node]
$ns duplex-link $r1 $r2 1.5Mb 50ms DropTail
$ns queue-limit $r1 $r2 20
$ns queue-limit $r2 $r1 100000
[$r1 get-module Manual] add-route-to-adj-node -default $r2
[$r2 get-module Manual] add-route-to-adj-node -default $r1
set drops [$ns monitor-queue $r1 $r2 ""]

set rng [new RNG]
$rng seed $opt(-seed)
set done 0
proc one_done {} {
    global opt done
    if {[incr done] == $opt(-n)} finish
}
for {set i 0} {$i < $opt(-n)} {incr i} {
    set from [$ns node]
    set to [$ns node]
    foreach {end router} [list $from $r1 $to $r2] {
        $ns duplex-link $end $router 10Mb 2ms DropTail
        $ns queue-limit $end $router 100000
        $ns queue-limit $router $end 100000
        [$end get-module Manual] add-route-to-adj-node -default $router
        [$router get-module Manual] add-route-to-adj-node $end
    }
    set tcp($i) [new Agent/TCP/Reno[expr {$opt(-cos) == "" ? "" : "/Cos"}]]
    set sink [new Agent/TCPSink]
    $ns attach-agent $from $tcp($i)
    $ns attach-agent $to $sink
    $ns connect $tcp($i) $sink
    set file [new Application/FTP]
    $file attach-agent $tcp($i)
    $tcp($i) proc done {} one_done
    set start [$rng uniform 0 $opt(-stagger)]
    # ssthresh "close to the bandwidth of the path": 1.5 Mbit/s times 108 ms, in packets of 1040 bytes.
    $ns at $start "$tcp($i) set ssthresh_ 20"
    $ns at $start "$file send 1000000"
}
proc finish {} {
    global ns opt drops tcp done
    set timeouts 0
    set again 0
    for {set i 0} {$i < $opt(-n)} {incr i} {
        incr timeouts [$tcp($i) set nrexmit_]
        incr again [$tcp($i) set nrexmitpack_]
    }
    puts "done $done drops [$drops set pdrops_] timeouts $timeouts again $again"
    exit 0
}
$ns at 5000 finish
$ns run
