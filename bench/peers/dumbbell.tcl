# The benchmark's dumbbell for ns-2: flows between two nodes over one link, nothing traced. Prints a line of JSON.
#
#     ns dumbbell.tcl SCHEDULER CC RATE DELAY_MS LIMIT FLOWS SECONDS
#
# Reno is ns-2's own SACK sender, the fastest it has; others are its port of Linux's (Agent/TCP/Linux). Written against ns-2.35.
lassign $argv scheduler cc rate delay limit flows seconds

set ns [new Simulator]
$ns use-scheduler $scheduler
# Headers that nobody needs are 1.5 kB of every packet.
remove-all-packet-headers
add-packet-header IP TCP Flags

Agent/TCP set packetSize_ 1448
Agent/TCP set tcpip_base_hdr_size_ 52
Agent/TCP set window_ 1000000
Agent/TCP set windowInit_ 10
Agent/TCP set maxcwnd_ 0
Agent/TCP set minrto_ 0.2
Agent/TCP set timestamps_ true
Agent/TCPSink set packetSize_ 52
Agent/TCPSink set ts_echo_bugfix_ true
Agent/TCPSink/DelAck set interval_ 40ms

set left [$ns node]
set right [$ns node]
$ns duplex-link $left $right ${rate}b ${delay}ms DropTail
$ns queue-limit $left $right $limit
$ns queue-limit $right $left $limit

for {set n 0} {$n < $flows} {incr n} {
    if {$cc eq "reno"} {
        set tcp($n) [new Agent/TCP/Sack1]
    } else {
        set tcp($n) [new Agent/TCP/Linux]
        $ns at 0 "$tcp($n) select_ca $cc"
    }
    set sink [new Agent/TCPSink/Sack1/DelAck]
    $ns attach-agent $left $tcp($n)
    $ns attach-agent $right $sink
    $ns connect $tcp($n) $sink
    set ftp [new Application/FTP]
    $ftp attach-agent $tcp($n)
    $ns at [expr {double($n) / $flows}] "$ftp start"
}

proc report {} {
    global tcp flows began
    set processor [expr {[clock_us] - $began}]
    set acked 0
    set sent 0
    set again 0
    for {set n 0} {$n < $flows} {incr n} {
        incr acked [expr {[$tcp($n) set ack_] + 1}]
        incr sent [$tcp($n) set ndatapack_]
        incr again [$tcp($n) set nrexmitpack_]
    }
    puts "{\"delivered_packets\": $acked, \"lost_packets\": $again, \"sent_packets\": $sent, \"processor_us\": $processor}"
    exit 0
}

# Processor time of this process so far, us.
proc clock_us {} {
    set file [open /proc/self/stat]
    set fields [split [lindex [split [read $file] ")"] end]]
    close $file
    return [expr {([lindex $fields 12] + [lindex $fields 13]) * 10000}]
}

$ns at $seconds "report"
set began [clock_us]
$ns run
