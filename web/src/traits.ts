// Made by `python tools/border`.

/** What a congestion control is like. */
export interface Algorithm {
  /** Whether its slow start ends at no ssthresh. */
  readonly isWhole: boolean;
  readonly slowStartsAfterLoss: boolean;
  /** Phases that it tells of itself: the internal with their number, and their names. */
  readonly phases: { readonly internal: string; readonly names: readonly string[] } | null;
}

/** What a queue discipline is like. */
export interface Discipline {
  /** Whether packets leave in the order in which they came. */
  readonly inOrder: boolean;
  /** Whether each flow has a queue of its own. */
  readonly isFair: boolean;
  /** Whether it drops none that waits. */
  readonly keepsWaiting: boolean;
}

// biome-ignore format: a line for each
export const ALGORITHMS: Readonly<Record<string, Algorithm>> = {
  "classic": {"isWhole": false, "slowStartsAfterLoss": false, "phases": null},
  "limited": {"isWhole": false, "slowStartsAfterLoss": false, "phases": null},
  "hystart": {"isWhole": false, "slowStartsAfterLoss": false, "phases": null},
  "hystartpp": {"isWhole": false, "slowStartsAfterLoss": false, "phases": null},
  "cos": {"isWhole": false, "slowStartsAfterLoss": false, "phases": null},
  "vegas-start": {"isWhole": false, "slowStartsAfterLoss": false, "phases": null},
  "nv-start": {"isWhole": false, "slowStartsAfterLoss": false, "phases": null},
  "ledbatpp-start": {"isWhole": false, "slowStartsAfterLoss": false, "phases": null},
  "search": {"isWhole": false, "slowStartsAfterLoss": false, "phases": null},
  "multcp-start": {"isWhole": false, "slowStartsAfterLoss": false, "phases": null},
  "hybla-start": {"isWhole": false, "slowStartsAfterLoss": false, "phases": null},
  "reno": {"isWhole": false, "slowStartsAfterLoss": false, "phases": null},
  "tahoe": {"isWhole": false, "slowStartsAfterLoss": true, "phases": null},
  "newreno": {"isWhole": false, "slowStartsAfterLoss": false, "phases": null},
  "multcp": {"isWhole": false, "slowStartsAfterLoss": false, "phases": null},
  "aimd": {"isWhole": false, "slowStartsAfterLoss": false, "phases": null},
  "binomial": {"isWhole": false, "slowStartsAfterLoss": false, "phases": null},
  "scalable": {"isWhole": false, "slowStartsAfterLoss": false, "phases": null},
  "highspeed": {"isWhole": false, "slowStartsAfterLoss": false, "phases": null},
  "cubic": {"isWhole": false, "slowStartsAfterLoss": false, "phases": null},
  "bic": {"isWhole": false, "slowStartsAfterLoss": false, "phases": null},
  "htcp": {"isWhole": false, "slowStartsAfterLoss": false, "phases": null},
  "hybla": {"isWhole": false, "slowStartsAfterLoss": false, "phases": null},
  "illinois": {"isWhole": false, "slowStartsAfterLoss": false, "phases": null},
  "veno": {"isWhole": false, "slowStartsAfterLoss": false, "phases": null},
  "westwood": {"isWhole": false, "slowStartsAfterLoss": false, "phases": null},
  "yeah": {"isWhole": false, "slowStartsAfterLoss": false, "phases": null},
  "compound": {"isWhole": false, "slowStartsAfterLoss": false, "phases": null},
  "vegas": {"isWhole": false, "slowStartsAfterLoss": false, "phases": null},
  "stabilised-vegas": {"isWhole": false, "slowStartsAfterLoss": false, "phases": null},
  "nv": {"isWhole": false, "slowStartsAfterLoss": false, "phases": null},
  "fast": {"isWhole": false, "slowStartsAfterLoss": false, "phases": null},
  "lp": {"isWhole": false, "slowStartsAfterLoss": false, "phases": null},
  "ledbat": {"isWhole": false, "slowStartsAfterLoss": false, "phases": null},
  "ledbatpp": {"isWhole": false, "slowStartsAfterLoss": false, "phases": null},
  "cdg": {"isWhole": false, "slowStartsAfterLoss": false, "phases": null},
  "dctcp": {"isWhole": false, "slowStartsAfterLoss": false, "phases": null},
  "prague": {"isWhole": false, "slowStartsAfterLoss": false, "phases": null},
  "bbr": {"isWhole": true, "slowStartsAfterLoss": false, "phases": {"internal": "mode", "names": ["STARTUP", "DRAIN", "PROBE_BW", "PROBE_RTT"]}},
  "bbr-lowlat": {"isWhole": true, "slowStartsAfterLoss": false, "phases": {"internal": "mode", "names": ["STARTUP", "DRAIN", "PROBE_BW", "PROBE_RTT"]}},
  "bbr3": {"isWhole": true, "slowStartsAfterLoss": false, "phases": {"internal": "state", "names": ["STARTUP", "DRAIN", "PROBE_BW down", "PROBE_BW cruise", "PROBE_BW refill", "PROBE_BW up", "PROBE_RTT"]}},
  "copa": {"isWhole": true, "slowStartsAfterLoss": false, "phases": null},
  "pcc-vivace": {"isWhole": true, "slowStartsAfterLoss": false, "phases": null},
  "pcc-allegro": {"isWhole": true, "slowStartsAfterLoss": false, "phases": null},
};

// biome-ignore format: a line for each
export const DISCIPLINES: Readonly<Record<string, Discipline>> = {
  "fifo": {"inOrder": true, "isFair": false, "keepsWaiting": true},
  "red": {"inOrder": true, "isFair": false, "keepsWaiting": true},
  "step": {"inOrder": true, "isFair": false, "keepsWaiting": true},
  "tbf": {"inOrder": false, "isFair": false, "keepsWaiting": false},
  "drr": {"inOrder": false, "isFair": true, "keepsWaiting": false},
  "pie": {"inOrder": true, "isFair": false, "keepsWaiting": true},
  "codel": {"inOrder": true, "isFair": false, "keepsWaiting": false},
  "fq_codel": {"inOrder": false, "isFair": true, "keepsWaiting": false},
  "dualpi2": {"inOrder": false, "isFair": false, "keepsWaiting": false},
  "prio": {"inOrder": false, "isFair": false, "keepsWaiting": false},
  "cobalt": {"inOrder": true, "isFair": false, "keepsWaiting": false},
  "fq_pie": {"inOrder": false, "isFair": true, "keepsWaiting": false},
};
