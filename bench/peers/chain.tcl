# The benchmark's networks for ns-2, a chain of nodes with a link between neighbours, nothing
# traced. Prints a line of JSON.
#
#     ns chain.tcl SCHEDULER JOB
#
# What the job says is written by run.py. Reno is ns-2's own SACK sender, the fastest that it has;
# others are its port of Linux's (Agent/TCP/Linux). Written against ns-2.35.
lassign $argv scheduler job

set ns [new Simulator]
$ns use-scheduler $scheduler
# Headers that nobody needs are 1.5 kB of every packet.
remove-all-packet-headers
add-packet-header IP TCP Flags

# 1500 bytes on the wire: the timestamps' option is counted apart.
Agent/TCP set packetSize_ 1448
Agent/TCP set tcpip_base_hdr_size_ 42
Agent/TCP set timestamps_ true
Agent/TCP set ts_option_size_ 10
Agent/TCP set bugFix_ts_ true
Agent/TCP set tcpTick_ 0.001
Agent/TCP set window_ 1000000
Agent/TCP set windowInit_ 10
Agent/TCP set maxcwnd_ 0
Agent/TCP set minrto_ 0.2
Agent/TCP set rtxcur_init_ 1
Agent/TCP set maxrto_ 120
Agent/TCPSink set packetSize_ 52
Agent/TCPSink set ts_echo_bugfix_ true
Agent/TCPSink/DelAck set interval_ 40ms

# Counts what is dropped and sees nothing else, so that it costs nothing where nothing is lost.
set drops [new QueueMonitor]
proc drain {} {
    global ns drops
    set drain [new SnoopQueue/Drop]
    $drain set-monitor $drops
    $drain target [$ns set nullAgent_]
    return $drain
}

proc join {n rate delay limit qdisc loss} {
    global ns node
    if {$qdisc ne "fifo"} {
        puts stderr "ns-2 has no $qdisc"
        exit 2
    }
    set node([expr {$n + 1}]) [$ns node]
    set left $node($n)
    set right $node([expr {$n + 1}])
    $ns duplex-link $left $right ${rate}b ${delay}s DropTail
    $ns queue-limit $left $right $limit
    $ns queue-limit $right $left $limit
    [[$ns link $left $right] queue] drop-target [drain]
    if {$loss > 0} {
        set errors [new ErrorModel]
        $errors unit pkt
        $errors set rate_ $loss
        $errors ranvar [new RandomVariable/Uniform]
        $ns link-lossmodel $errors $left $right
        $errors drop-target [drain]
    }
}

proc flow {n cc first last start} {
    global ns node tcp
    if {$cc eq "reno"} {
        set tcp($n) [new Agent/TCP/Sack1]
    } else {
        set tcp($n) [new Agent/TCP/Linux]
        $ns at 0 "$tcp($n) select_ca $cc"
    }
    set sink [new Agent/TCPSink/Sack1/DelAck]
    $ns attach-agent $node($first) $tcp($n)
    $ns attach-agent $node($last) $sink
    $ns connect $tcp($n) $sink
    set ftp [new Application/FTP]
    $ftp attach-agent $tcp($n)
    $ns at $start "$ftp start"
}

proc report {} {
    global tcp flows drops began
    set processor [expr {[clock_us] - $began}]
    set acked 0
    for {set n 0} {$n < $flows} {incr n} {
        incr acked [expr {[$tcp($n) set ack_] + 1}]
    }
    # What ns-2 prints itself may have left a line unfinished.
    puts "\n{\"delivered_packets\": $acked, \"lost_packets\": [expr {int([$drops set pdrops_])}], \"processor_us\": $processor}"
    flush stdout
    exit 0
}

# Processor time of this process so far, us.
proc clock_us {} {
    set file [open /proc/self/stat]
    set fields [split [lindex [split [read $file] ")"] end]]
    close $file
    return [expr {([lindex $fields 12] + [lindex $fields 13]) * 10000}]
}

set node(0) [$ns node]
set links 0
set flows 0
set file [open $job]
foreach line [split [read $file] "\n"] {
    switch [lindex $line 0] {
        seconds {
            $ns at [lindex $line 1] "report"
        }
        link {
            join $links {*}[lrange $line 1 end]
            incr links
        }
        flow {
            flow $flows {*}[lrange $line 1 end]
            incr flows
        }
    }
}
close $file
set began [clock_us]
$ns run
