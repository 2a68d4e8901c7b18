//! The language: what is read, and what is refused with its line.

use ackclock_packetdrill::{Claim, Packet, Script, What, parse};

fn script(text: &str) -> Script {
    parse(text).expect("the script is right")
}

fn packet(line: &str) -> Packet {
    let script = script(&format!("0 {line}\n"));
    script.events[0].what.packet().expect("a packet").clone()
}

#[test]
fn a_packet_has_its_numbers_and_options() {
    let found = packet(
        "< [ce] FP. 1:1001(1000) ack 7 win 320 <nop,nop,TS val 5 ecr 6,nop,nop,sack 11:21 31:41>",
    );
    assert!(found.arrives && found.flags == "FP.");
    assert_eq!((found.start, found.end, found.length), (1, 1001, 1000));
    assert_eq!((found.ack, found.window, found.stamps), (Some(7), Some(320), Some((5, 6))));
    assert_eq!(found.ecn.as_deref(), Some("ce"));
    assert_eq!(found.sacks, [(11, 21), (31, 41)]);
    assert_eq!(packet("< . 1:1(0) ack 1 win 9 <ECN e1b 1 ceb 700 e0b 1>").marked, Some(700));
}

#[test]
fn a_syn_says_what_it_offers() {
    let found = packet("> S. 0:0(0) ack 1 <mss 1460,nop,nop,sackOK,nop,wscale 8>");
    assert_eq!((found.mss, found.sack_permitted, found.scale), (Some(1460), true, Some(8)));
    assert!(!found.arrives);
}

#[test]
fn other_protocols_and_options_are_named() {
    let other = |line| packet(line).other;
    let icmp = other("< icmp unreachable frag_needed mtu 1400 [1:1001(1000)]");
    assert_eq!(icmp.as_deref(), Some("icmp"));
    let option = other("> S 0:0(0) <mss 1460,FO abcd1234>");
    assert_eq!(option.as_deref(), Some("TCP option FO"));
    assert!(packet("> . 1:1(0) ack 1 <...>").ignores_options);
}

#[test]
fn times_are_relative_absolute_any_and_ranges() {
    let text = "0 `a`\n+.5 `b`\n1.25 `c`\n* > . 1:1(0) ack 1\n+.1~+.2 > . 1:1(0) ack 1\n";
    let events = script(text).events;
    let times: Vec<i64> = events.iter().map(|event| event.at_us).collect();
    assert_eq!(times, [0, 500_000, 1_250_000, 1_250_000, 1_350_000]);
    assert_eq!(events[4].to_us, Some(1_450_000));
    let any: Vec<bool> = events.iter().map(|event| event.is_any).collect();
    assert_eq!(any, [false, false, false, true, false]);
    assert_eq!(events[2].delay_us, 750_000);
}

#[test]
fn calls_keep_what_is_in_their_brackets() {
    let script = script(
        "+0 sendmsg(4, {msg_name(...)=...,\n  msg_iov(1)=[{..., 5}]}, 0) = 5\n\
         +0...0.1 read(3, ..., 9) = -1 EAGAIN (x)\n",
    );
    let calls: Vec<_> = script.events.iter().filter_map(|event| event.what.call()).collect();
    assert_eq!(calls[0].name, "sendmsg");
    assert!(calls[0].arguments.contains("msg_iov(1)"));
    assert_eq!((calls[0].result.as_str(), calls[0].is_blocking), ("5", false));
    assert_eq!((calls[1].result.as_str(), calls[1].is_blocking), ("-1 EAGAIN (x)", true));
}

#[test]
fn setup_code_options_and_comments() {
    let script = script(
        "// x\n--tolerance_usecs=5\n`one\ntwo`\n/* y\n z */ 0 %{\nassert 1 == 1\n}%\n\
         +0 `three`\n`restore`\n",
    );
    assert_eq!(script.options, [("tolerance_usecs".to_owned(), "5".to_owned())]);
    assert_eq!(script.setup, ["one\ntwo"]);
    assert!(matches!(
        script.events.iter().map(|event| &event.what).collect::<Vec<_>>()[..],
        [What::Code(_), What::Command(_)]
    ));
    assert_eq!(script.events[0].line, 6);
    assert!(script.header.is_none());
}

#[test]
fn a_header_says_the_host() {
    let script = script("// ackclock: cc=cubic; mss=1000\n// ackclock: mss=500\n");
    let header = script.header.expect("it has one");
    assert_eq!((header.profile.as_str(), header.cc.as_str()), ("linux", "cubic"));
    assert_eq!((header.tolerance_us, header.setting("mss")), (1, Some("500")));
}

#[test]
fn what_is_not_understood_is_said_with_its_line() {
    for (text, says) in [
        ("0 > . 1:1(0 ack 1\n", "line 1: the packet '. 1:1(0 ack 1' is not understood"),
        ("0 socket(...\n", "line 2: socket( has no end"),
        ("0 socket(...)\n", "line 1: socket(...) has no result"),
        ("hello\n", "line 1: 'hello' begins with no time"),
        ("0 %{ assert\n", "line 1: code has no end"),
        ("0 nonsense\n", "line 1: 'nonsense' is neither"),
        ("+9000000000 < . 1:1(0)\n", "line 1: 9000000000 s after the beginning: a script lasts"),
        ("+80000 < . 1:1(0)\n+80000 < . 1:1(0)\n", "line 2: 160000 s after the beginning"),
        ("0 < . 1:1(4294967294)\n", "line 1: '4294967294' is not a number of at most 1048576"),
        ("0 < S 0:0(0) <wscale 999>\n", "line 1: '999' is not a number of at most 255"),
        ("0 < . 1:1(0) ack 4294967296\n", "line 1: '4294967296' is not a number of at most"),
        ("0 < . 1:1(0) <sack 1:2:3>\n", "line 1: the blocks of 'sack 1:2:3' are written 1:1001"),
        ("\n// ackclock: mss\n", "line 2: the header's 'mss': KEY=VALUE, as in mss=1000"),
    ] {
        let problem = parse(text).expect_err(text);
        assert!(problem.starts_with(says), "{problem}");
    }
}

#[test]
fn a_claim_is_a_name_and_a_number() {
    let claim = |code: &str| Claim::parse(code).map(|claim| (claim.name, claim.value));
    assert_eq!(claim(" assert tcpi_snd_cwnd == 10, x "), Some(("tcpi_snd_cwnd".into(), 10.0)));
    assert_eq!(claim("assert tcpi_ca_state == TCP_CA_Loss"), Some(("tcpi_ca_state".into(), 4.0)));
    assert_eq!(claim("assert inflight == 500 / 1000"), Some(("inflight".into(), 0.5)));
    for code in ["assert a >= 1", "assert a + b == 2", "print(a)", "assert a == b"] {
        assert_eq!(claim(code), None, "{code}");
    }
}
