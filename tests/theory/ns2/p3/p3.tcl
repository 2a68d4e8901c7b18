# P3's network in ns-2: TCP connections and a film through one link (Wang, Lan & Li 2008).
#
#     ns p3.tcl NETWORK OUT
#
# NETWORK is a Tcl file that calls `target`, `tcp`, `film` and `go` below; record.py writes it
# from a run's plan. Two files are written, in ns-2's time, which begins a second before ours:
#
# - OUT.packets, ns-2's own trace: packets that senders hand to their access link (+), that reach
# a receiver (r), and that
#   are dropped (d) on the way there. The flow's id is its place, from 1.
# - OUT.samples: every 100 ms the time, then packets waiting and bytes sent of each link (the
# target, then up and down of
#   each sender), then the window of each TCP connection, packets.
lassign $argv network out
set BEGIN 1.0
set SAMPLES 0.1

remove-all-packet-headers
add-packet-header IP TCP Flags RTP
set ns [new Simulator]
$ns use-scheduler Heap
$ns rtproto Manual
set packets [open $out.packets w]
set samples [open $out.samples w]
set monitors {}
set tcps {}
set flows 0
set r1 [$ns node]
set r2 [$ns node]

proc watch {from to first last} {
    global ns packets monitors
    lappend monitors [$ns monitor-queue $from $to ""]
    set link [$ns link $from $to]
    set drops [$ns create-trace Drop $packets $from $to]
    $drops target [[$link set drophead_] target]
    [$link set drophead_] target $drops
    if {$first} {
        $link add-to-head [$ns create-trace Enque $packets $from $to]
    }
    if {$last} {
        set arrivals [$ns create-trace Recv $packets $from $to]
        $arrivals target [[$link set ttl_] target]
        [$link set ttl_] target $arrivals
    }
}

# `limit`: packets that can wait. ns-2's DropTail counts the packet that is being sent
# (drop-tail.cc); RED does not (red.cc). `forth` and `back`: RED's lower and upper threshold,
# largest probability, weight and mean packet size, in either direction.
proc target {rate delay kind limit {forth {}} {back {}}} {
    global ns r1 r2
    $ns duplex-link $r1 $r2 $rate $delay $kind
    foreach {from to values} [list $r1 $r2 $forth $r2 $r1 $back] {
        $ns queue-limit $from $to [expr {$kind == "RED" ? $limit : $limit + 1}]
        if {$kind == "RED"} {
            lassign $values lower upper most weight size
            set red [[$ns link $from $to] queue]
            foreach {name value} [list thresh_ $lower maxthresh_ $upper linterm_ [expr {1.0 / $most}] q_weight_ $weight \
                    mean_pktsize_ $size gentle_ true wait_ true bytes_ false queue_in_bytes_ false adaptive_ 0 setbit_ false] {
                $red set $name $value
            }
        }
    }
    [$r1 get-module Manual] add-route-to-adj-node -default $r2
    [$r2 get-module Manual] add-route-to-adj-node -default $r1
    watch $r1 $r2 0 0
}

# A sender behind a link of `rate` and `delay`, and its receiver behind another such link; `limit`
# as above.
proc ends {rate delay limit} {
    global ns r1 r2
    set from [$ns node]
    set to [$ns node]
    foreach {end router} [list $from $r1 $to $r2] {
        $ns duplex-link $end $router $rate $delay DropTail
        $ns queue-limit $end $router [expr {$limit + 1}]
        $ns queue-limit $router $end [expr {$limit + 1}]
        [$end get-module Manual] add-route-to-adj-node -default $router
        [$router get-module Manual] add-route-to-adj-node $end
    }
    watch $from $r1 1 0
    watch $r2 $to 0 1
    return [list $from $to]
}

# `payload`: bytes; `acks`: packets per ACK.
proc tcp {start rate delay limit payload window acks} {
    global ns flows tcps BEGIN
    lassign [ends $rate $delay $limit] from to
    set tcp [new Agent/TCP/Reno]
    $tcp set fid_ [incr flows]
    $tcp set packetSize_ $payload
    $tcp set window_ $window
    $tcp set windowInit_ 1
    set sink [new Agent/TCPSink[expr {$acks > 1 ? "/DelAck" : ""}]]
    $ns attach-agent $from $tcp
    $ns attach-agent $to $sink
    $ns connect $tcp $sink
    set file [new Application/FTP]
    $file attach-agent $tcp
    $ns at [expr {$BEGIN + $start}] "$file start"
    lappend tcps $tcp
}

# `frames`: microseconds since the frame before, and bytes, headers of its packets and all;
# `size`: of a full packet, bytes. UDP cuts frames. Traffic/Trace begins at a frame drawn at
# random (traffictrace.cc), the same one with the same `seed`.
proc film {start rate delay limit size frames} {
    global ns flows out BEGIN defaultRNG seed
    lassign [ends $rate $delay $limit] from to
    $defaultRNG seed $seed
    set udp [new Agent/UDP]
    $udp set fid_ [incr flows]
    $udp set packetSize_ $size
    set null [new Agent/Null]
    $ns attach-agent $from $udp
    $ns attach-agent $to $null
    $ns connect $udp $null
    set file [open $out.trace w]
    fconfigure $file -translation binary
    foreach {interval bytes} $frames { puts -nonewline $file [binary format II $interval $bytes] }
    close $file
    set trace [new Tracefile]
    $trace filename $out.trace
    set source [new Application/Traffic/Trace]
    $source attach-tracefile $trace
    $source attach-agent $udp
    $ns at [expr {$BEGIN + $start}] "$source start"
}

proc sample {} {
    global ns samples monitors tcps SAMPLES
    set row [$ns now]
    foreach monitor $monitors { lappend row [$monitor set pkts_] [$monitor set bdepartures_] }
    foreach tcp $tcps { lappend row [$tcp set cwnd_] }
    puts $samples $row
    $ns at [expr {[$ns now] + $SAMPLES}] sample
}

proc finish {} {
    global packets samples
    close $packets
    close $samples
    exit 0
}

proc go {seconds} {
    global ns BEGIN
    $ns at $BEGIN sample
    $ns at [expr {$BEGIN + $seconds + 0.001}] finish
    $ns run
}

source $network
