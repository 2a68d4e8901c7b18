# P1's network in ns-2: n connections with a file each through one bottleneck (Ru & Liu 2007,
# P1-F6).
#
#     ns p1.tcl -n 20 -seed 1 -stagger 1.0 [-packet 1000] [-file 1000000] [-ssthresh 20] [-window 1] [-limit 20] [-cos FILE]
#
# prints one line: files that are there, packets dropped at the bottleneck, timeouts, packets sent
# again, the mean transfer time (s) and the share of the time that the bottleneck sent. `-packet`
# is the payload of a packet and `-file` the size of a file, bytes; `-ssthresh`, `-window`, the
# initial one, and `-limit`, of the bottleneck's queue, are packets; starts are uniform over
# `-stagger` seconds. `-cos` loads the plug-in of cos.cc. A limit of 20 lets 19 packets wait
# (drop-tail.cc).
array set opt {-n 20 -seed 1 -stagger 1.0 -packet 1000 -file 1000000 -ssthresh 20 -window 1 -limit 20 -cos ""}
foreach {k v} $argv { set opt($k) $v }
if {$opt(-cos) != ""} { load $opt(-cos) cos }

remove-all-packet-headers
add-packet-header IP TCP Flags
set ns [new Simulator]
$ns use-scheduler Heap
$ns rtproto Manual
# No limit but cwnd; everything else is ns-2's default.
Agent/TCP set window_ 100000
Agent/TCP set windowInit_ $opt(-window)
Agent/TCP set packetSize_ $opt(-packet)

set r1 [$ns node]
set r2 [$ns node]
$ns duplex-link $r1 $r2 1.5Mb 50ms DropTail
$ns queue-limit $r1 $r2 $opt(-limit)
$ns queue-limit $r2 $r1 100000
[$r1 get-module Manual] add-route-to-adj-node -default $r2
[$r2 get-module Manual] add-route-to-adj-node -default $r1
set bottleneck [$ns monitor-queue $r1 $r2 ""]

set rng [new RNG]
$rng seed $opt(-seed)
set done 0
set taken 0.0
proc one_done {start} {
    global opt done taken ns
    set taken [expr {$taken + [$ns now] - $start}]
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
    set start [$rng uniform 0 $opt(-stagger)]
    $tcp($i) proc done {} "one_done $start"
    $ns at $start "$tcp($i) set ssthresh_ $opt(-ssthresh)"
    $ns at $start "$file send $opt(-file)"
}
proc finish {} {
    global ns opt bottleneck tcp done taken
    set timeouts 0
    set again 0
    for {set i 0} {$i < $opt(-n)} {incr i} {
        incr timeouts [$tcp($i) set nrexmit_]
        incr again [$tcp($i) set nrexmitpack_]
    }
    set busy [expr {[$bottleneck set bdepartures_] * 8 / 1.5e6 / [$ns now]}]
    puts "done $done drops [$bottleneck set pdrops_] timeouts $timeouts again $again\
        time [format %.4f [expr {$done ? $taken / $done : 0}]] busy [format %.5f $busy]"
    exit 0
}
$ns at 5000 finish
$ns run
