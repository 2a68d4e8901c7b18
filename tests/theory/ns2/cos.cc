// COS-Slow-Start (Ru & Liu 2007) for ns-2: Agent/TCP/Reno/Cos, as a library that Debian's ns loads. The paper's rules on
// each ACK: near ssthresh (sigma, 2 packets) cwnd += 1/cwnd; else cwnd follows w(x), in proportion to the window's share
// that is acknowledged. How to build it: record.py.
#include <math.h>

#include "tcp.h"

static const double kSigma = 2.0;
static const double kRounding = 1e-6;

class CosRenoTcpAgent : public RenoTcpAgent {
public:
    CosRenoTcpAgent() : ssthresh_of_curve_(0), mine_(-1) {}
    virtual void opencwnd();

private:
    double window(double x) const;
    void begin(double cwnd);
    void plan();

    double ssthresh_of_curve_, mine_;  // zero: no curve is followed; the cwnd that this has set
    double x_, from_, to_, acked_;     // round trips from one packet; the round's windows; packets acknowledged in it
};

double CosRenoTcpAgent::window(double x) const {
    const double s = ssthresh_of_curve_, length = log2(s);
    if (x > length) x = length;
    const double w = s / 2 * (1 - cos(M_PI * x / length)) + 1;
    return x <= length / 2 ? floor(w + kRounding) : ceil(w - kRounding);
}

void CosRenoTcpAgent::plan() {
    const double next = window(x_ + 1);
    to_ = next > from_ ? next : from_;
}

void CosRenoTcpAgent::begin(double cwnd) {
    ssthresh_of_curve_ = (int)ssthresh_;
    from_ = cwnd;
    acked_ = 0;
    double cosine = 1 - (cwnd - 1) / (ssthresh_of_curve_ / 2);
    cosine = cosine > 1 ? 1 : cosine < -1 ? -1 : cosine;
    x_ = log2(ssthresh_of_curve_) / M_PI * acos(cosine);
    plan();
}

void CosRenoTcpAgent::opencwnd() {
    const double cwnd = cwnd_, ssthresh = (int)ssthresh_;
    if (ssthresh - cwnd <= kSigma) {
        ssthresh_of_curve_ = 0;
        cwnd_ = mine_ = cwnd + 1 / cwnd;
        return;
    }
    if (ssthresh_of_curve_ != ssthresh || fabs(cwnd - mine_) > 1e-9) begin(cwnd);
    for (acked_ += 1; acked_ >= from_ - 1e-9; plan()) {
        acked_ -= from_;
        x_ += 1;
        from_ = to_;
        if (x_ >= log2(ssthresh)) {
            acked_ = 0;
            break;
        }
    }
    double next = from_ + (to_ - from_) * acked_ / from_;
    next = next > ssthresh ? ssthresh : next;
    cwnd_ = mine_ = next < cwnd ? cwnd : next;
}

static class CosRenoClass : public TclClass {
public:
    CosRenoClass() : TclClass("Agent/TCP/Reno/Cos") {}
    TclObject* create(int, const char* const*) { return new CosRenoTcpAgent(); }
} class_cosreno;

extern "C" int Cos_Init(Tcl_Interp*) {
    class_cosreno.init();
    return TCL_OK;
}
