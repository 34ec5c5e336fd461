/* bench/prototype_zahltag.py in C, as the measure of what a machine can do: the same decisions, draws and games.
   Built and called by bench/engine.py; nothing else uses it. */

#include <stdint.h>
#include <string.h>

enum { PASS = 0, TAKE = 1, DISCARD = 5, EXCHANGE = 9, BID0 = 21 };
enum { SETUP, WORKERS, BID, END };

static const int64_t M = 2147483647, A = 48271;
static const int8_t OFFER[9] = {0, 1, 2, 3, 4, 6, 8, 10, 12};
static const int8_t SUPPLY[4] = {14, 16, 10, 12};
static int8_t JOBS[32][4], FROM[12], INTO[12];

typedef struct {
    int64_t rng;
    int16_t money[4];
    int8_t n, phase, cur, lead, ops, job, since, paydays, last_pay, deck_pay, deck_size;
    int8_t hand[4][4], left[4][4], right[4][4], stack[4], alive[4], bids[4], deck[32];
} Zahltag;

static int below(Zahltag *s, int k) {
    s->rng = s->rng * A % M;
    return (int)(s->rng % k);
}

static void tables(void) {
    for (int i = 0; i < 32; i++) {
        JOBS[i][0] = (int8_t)(1 + i % 2);
        JOBS[i][1] = (int8_t)(i % 4);
        JOBS[i][2] = (int8_t)(i / 4 % 3);
        JOBS[i][3] = (int8_t)(i / 3 % 3);
    }
    for (int a = 0, i = 0; a < 4; a++)
        for (int b = 0; b < 4; b++)
            if (a != b) {
                FROM[i] = (int8_t)a;
                INTO[i++] = (int8_t)b;
            }
}

static void begin(Zahltag *s, int64_t seed, int n) {
    memset(s, 0, sizeof *s);
    s->rng = seed;
    s->n = (int8_t)n;
    s->ops = 3;
    s->job = -1;
    s->deck_pay = 6;
    memcpy(s->stack, SUPPLY, 4);
    s->deck_size = 32;
    for (int i = 0; i < 32; i++) s->deck[i] = (int8_t)i;
    int total = 52;
    for (int p = 0; p < n; p++) {
        s->money[p] = 20;
        s->alive[p] = 1;
        for (int k = 0; k < 7; k++) {
            int r = below(s, total--), t = 0;
            while (r >= s->stack[t]) r -= s->stack[t++];
            s->stack[t]--;
            s->hand[p][t]++;
        }
    }
}

static int sum(const int8_t *v) { return v[0] + v[1] + v[2] + v[3]; }

static int owned(const Zahltag *s, int p) { return sum(s->hand[p]) + sum(s->left[p]) + sum(s->right[p]); }

static int legal(const Zahltag *s, int8_t *acts) {
    int k = 0, setup = s->phase == SETUP;
    const int8_t *h = s->hand[s->cur];
    if (s->phase == BID) {
        const int8_t *j = JOBS[s->job];
        acts[k++] = BID0;
        if (h[0] >= j[0] && h[1] >= j[1] && h[2] >= j[2] && h[3] >= j[3])
            for (int i = 1; i < 9; i++) acts[k++] = (int8_t)(BID0 + i);
        return k;
    }
    acts[k++] = PASS;
    int cards = owned(s, s->cur);
    if (cards < (setup ? 10 : 12))
        for (int t = 0; t < 4; t++)
            if (s->stack[t] > 0) acts[k++] = (int8_t)(TAKE + t);
    if (!setup || cards > 4)
        for (int t = 0; t < 4; t++)
            if (h[t] > 0) acts[k++] = (int8_t)(DISCARD + t);
    for (int i = 0; i < 12; i++)
        if (h[FROM[i]] > 0 && s->stack[INTO[i]] > 0) acts[k++] = (int8_t)(EXCHANGE + i);
    return k;
}

static int next_alive(const Zahltag *s, int p) {
    do p = p + 1 == s->n ? 0 : p + 1;
    while (!s->alive[p]);
    return p;
}

static void eliminate(Zahltag *s, int p) {
    s->alive[p] = 0;
    for (int t = 0; t < 4; t++) {
        s->stack[t] = (int8_t)(s->stack[t] + s->hand[p][t] + s->left[p][t] + s->right[p][t]);
        s->hand[p][t] = s->left[p][t] = s->right[p][t] = 0;
    }
}

static void next_turn(Zahltag *s) {
    int alive = 0;
    for (int p = 0; p < s->n; p++) {
        alive += s->alive[p];
        s->bids[p] = 0;
    }
    if (alive <= 1) {
        s->phase = END;
        return;
    }
    int p = next_alive(s, s->lead);
    s->lead = s->cur = (int8_t)p;
    s->phase = WORKERS;
    for (int t = 0; t < 4; t++) {
        s->hand[p][t] = (int8_t)(s->hand[p][t] + s->right[p][t]);
        s->right[p][t] = s->left[p][t];
        s->left[p][t] = 0;
    }
}

static void payday(Zahltag *s) {
    int low = 99, left = 0;
    for (int p = 0; p < s->n; p++)
        if (s->alive[p] && sum(s->hand[p]) < low) low = sum(s->hand[p]);
    for (int p = 0; p < s->n; p++)
        if (s->alive[p]) {
            s->money[p] = (int16_t)(s->money[p] - (sum(s->hand[p]) - low));
            if (s->money[p] < 0) eliminate(s, p);
            else left++;
        }
    s->since = 0;
    s->last_pay = 1;
    s->deck_pay--;
    s->paydays++;
    if (s->paydays == 5 || left <= 1) s->phase = END;
    else next_turn(s);
}

static void reveal(Zahltag *s) {
    int jobs = s->deck_size, r = 0, pay = 0;
    if (jobs == 0 || s->since >= (s->n > 2 ? 9 : 8)) pay = 1;
    else if (s->last_pay) r = below(s, jobs);
    else pay = (r = below(s, jobs + s->deck_pay)) >= jobs;
    if (pay) {
        payday(s);
        return;
    }
    s->job = s->deck[r];
    s->deck[r] = s->deck[--s->deck_size];
    s->since++;
    s->last_pay = 0;
    s->phase = BID;
    s->cur = s->lead;
}

static void award(Zahltag *s) {
    int low = 99, ties = 0;
    for (int p = 0; p < s->n; p++) {
        int v = s->bids[p];
        if (v > 0 && v <= low) {
            ties = v == low ? ties + 1 : 1;
            low = v;
        }
    }
    if (ties == 0) return;
    int pay = OFFER[low] - (ties > 1 ? 2 : 0);
    for (int p = 0; p < s->n; p++)
        if (s->bids[p] == low) {
            s->money[p] = (int16_t)(s->money[p] + pay);
            for (int t = 0; t < 4; t++) {
                s->hand[p][t] = (int8_t)(s->hand[p][t] - JOBS[s->job][t]);
                s->left[p][t] = (int8_t)(s->left[p][t] + JOBS[s->job][t]);
            }
            if (s->money[p] < 0) eliminate(s, p);
        }
}

static void apply(Zahltag *s, int act) {
    int p = s->cur;
    int8_t *h = s->hand[p];
    if (s->phase == BID) {
        s->bids[p] = (int8_t)(act - BID0);
        p = next_alive(s, p);
        if (p == s->lead) {
            award(s);
            next_turn(s);
        } else s->cur = (int8_t)p;
        return;
    }
    if (act >= EXCHANGE) {
        int from = FROM[act - EXCHANGE], into = INTO[act - EXCHANGE];
        h[from]--, s->stack[from]++, h[into]++, s->stack[into]--;
    } else if (act >= DISCARD) h[act - DISCARD]--, s->stack[act - DISCARD]++;
    else if (act >= TAKE) h[act - TAKE]++, s->stack[act - TAKE]--;
    if (s->phase == WORKERS) {
        reveal(s);
        return;
    }
    if (act == PASS || --s->ops == 0) {
        s->ops = 3;
        s->cur = (int8_t)(p + 1);
        if (s->cur == s->n) {
            s->cur = 0;
            s->phase = WORKERS;
        }
    }
}

/* Random games of 4, the first so many. Returns the decisions; `check` gets a sum over the money in the end, which
   must be what prototype_zahltag.run finds. */
int64_t run(int64_t games, int64_t *check) {
    int64_t decisions = 0, found = 0;
    int8_t acts[32];
    Zahltag s;
    tables();
    for (int64_t game = 0; game < games; game++) {
        begin(&s, game * 7919 % M + 1, 4);
        int64_t x = game * 104729 % M + 12345;
        while (s.phase != END) {
            int k = legal(&s, acts);
            x = x * A % M;
            apply(&s, acts[x % k]);
            decisions++;
        }
        for (int p = 0; p < 4; p++) found = (found * 31 + s.money[p] + 1000 + s.alive[p]) % 1000003;
    }
    *check = found;
    return decisions;
}
