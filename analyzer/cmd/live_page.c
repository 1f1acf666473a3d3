/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The page of tprof live, which asks for its data again and again, and metrics for a Prometheus.
 *
 * Frames are read at the usual pace, whoever asks.  The page shows texts as texts: a name in a
 * trace cannot become code.
 */
#include "cmd/live_page.h"

#include <stdio.h>
#include <string.h>
#include <time.h>

#include "base/written.h"
#include "export/metrics.h"
#include "live/http.h"
#include "live/live_report.h"
#include "model/outline.h"
#include "model/session_open.h"
#include "render/render.h"

struct page {
    struct live *lives;
    size_t count;
    uint64_t every_ns;
};

/* One file, without anything from elsewhere.  The colours are those of tprof html. */
static const char head[] =
    "<!doctype html>\n<html lang=\"en\"><meta charset=\"utf-8\">\n"
    "<meta name=\"viewport\" content=\"width=device-width,initial-scale=1\">\n"
    "<meta name=\"color-scheme\" content=\"light dark\">\n"
    "<link rel=\"icon\" href=\"data:,\">\n<title>tprof live</title>\n<style>\n"
    ":root{--fg:#1b1b1b;--bg:#fff;--dim:#5c5c5c;--line:#d8d8d8;--bar:#2f6fb5;--bad:#b3261e;"
    "--card:#f6f6f6}\n"
    "@media(prefers-color-scheme:dark){:root{--fg:#e6e6e6;--bg:#161616;--dim:#a3a3a3;"
    "--line:#3a3a3a;--bar:#6aa5e8;--bad:#ff8a80;--card:#202020}}\n"
    "body{margin:0 auto;max-width:100rem;padding:.75rem;font:15px/1.4 system-ui,sans-serif;"
    "color:var(--fg);background:var(--bg)}\n"
    "h1{font-size:1.1rem;margin:.2rem 0}h2{font-size:.95rem;margin:1rem 0 .3rem}\n"
    ".tiles{display:grid;gap:.5rem;grid-template-columns:repeat(auto-fit,minmax(9.5rem,1fr))}\n"
    ".tile{background:var(--card);border:1px solid var(--line);border-radius:.4rem;"
    "padding:.4rem .6rem}\n"
    ".tile b{display:block;font-size:1.15rem}.dim{color:var(--dim);font-size:.85rem}\n"
    "svg{width:100%;height:2.2rem;margin-top:.4rem;display:block}path{fill:none;stroke:var(--bar);"
    "stroke-width:1.5;vector-effect:non-scaling-stroke}\n"
    ".wide{overflow-x:auto}table{border-collapse:collapse;width:100%}\n"
    "th,td{text-align:right;padding:.15rem .5rem;border-bottom:1px solid var(--line);"
    "white-space:nowrap}th:last-child,td:last-child{text-align:left;white-space:normal;width:55%;"
    "overflow-wrap:anywhere}\nth{color:var(--dim);font-weight:normal}.bad{color:var(--bad)}\n"
    "</style>\n<h1 id=\"name\">tprof live</h1><div class=\"dim\" id=\"state\" role=\"status\">"
    "</div>\n<div id=\"jobs\"></div>\n<div class=\"tiles\" id=\"tiles\"></div>\n"
    "<h2>Time (1.00 is one thread)</h2><div class=\"wide\"><table id=\"rows\"></table></div>\n"
    "<h2>Threads</h2><div class=\"wide\"><table id=\"threads\"></table></div>\n"
    "<h2>Alerts</h2><div class=\"wide\"><table id=\"alerts\"></table></div>\n<script>\n";

static const char script[] =
    "'use strict';\n"
    "const base=location.pathname.replace(/\\/?$/,'/'),history=[],kept=60;\n"
    "const id=name=>document.getElementById(name);\n"
    "function scaled(x,units,step){if(x==null)return'-';let i=0;const s=x<0?'-':'';x=Math.abs(x);"
    "while(x>=step&&i<units.length-1){x/=step;i++}"
    "return s+(x>=100||i==0?x.toFixed(0):x.toFixed(1))+' '+units[i]}\n"
    "const bytes=x=>scaled(x,['B','KiB','MiB','GiB','TiB'],1024);\n"
    "const flops=x=>scaled(x,['FLOP/s','kFLOP/s','MFLOP/s','GFLOP/s','TFLOP/s'],1000);\n"
    "const rate=x=>x==null?'-':(x>=100?x.toFixed(0):x.toFixed(1))+' /s';\n"
    "const real=x=>x==null?'-':x.toFixed(2);\n"
    "const time=x=>x==null?'-':x<1e9?(x/1e6).toFixed(0)+' ms':x<6e11?(x/1e9).toFixed(1)+' s':"
    "(x/6e10).toFixed(1)+' min';\n"
    "function fill(table,titles,rows){const t=id(table);t.replaceChildren();"
    "const line=(cells,kind)=>{const r=t.insertRow();for(const c of cells){"
    "const d=document.createElement(kind);d.textContent=c;r.append(d)}};"
    "if(!rows.length){line(['none'],'td');return}"
    "line(titles,'th');for(const r of rows)line(r,'td')}\n"
    "function course(values){const n=values.filter(x=>x!=null);if(n.length<2)return null;"
    "const most=Math.max(...n)||1,ns='http://www.w3.org/2000/svg',"
    "svg=document.createElementNS(ns,'svg'),path=document.createElementNS(ns,'path');"
    "svg.setAttribute('viewBox','0 0 60 20');svg.setAttribute('preserveAspectRatio','none');"
    "svg.setAttribute('aria-hidden','true');"
    "path.setAttribute('d',values.map((v,i)=>(i?'L':'M')+(60-values.length+i+1)+' '+"
    "(19-18*(v||0)/most).toFixed(2)).join(''));svg.append(path);return svg}\n"
    "function tile(title,value,note,key){const d=document.createElement('div');d.className='tile';"
    "const b=document.createElement('b'),s=document.createElement('span'),"
    "n=document.createElement('span');b.textContent=value;s.textContent=title;"
    "n.textContent=note||'';s.className=n.className='dim';d.append(s,b,n);"
    "const c=key&&course(history.map(h=>h[key]));if(c)d.append(c);return d}\n"
    "function show(all){const p=all.processes[0];if(!p)return;history.push(p);"
    "if(history.length>kept)history.shift();"
    "document.title=p.name+' - tprof live';id('name').textContent=p.name+' '+p.pid+"
    "(all.processes.length>1?' and '+(all.processes.length-1)+' more':'');"
    "id('state').textContent=p.state+', '+time(p.age_ns)+(p.torn_frames?', '+p.torn_frames+"
    "' torn frames left out':'');\n"
    "const tiles=[tile('processors busy',real(p.processors_used),'of '+real(p.processors_allowed),"
    "'processors_used'),tile(p.step?'steps: '+p.step:'steps',rate(p.steps_per_second),"
    "'over the span '+rate(p.steps_per_second_span),'steps_per_second'),"
    "tile('computing',flops(p.flops_per_second),'over the span '+flops(p.flops_per_second_span),"
    "'flops_per_second'),tile('heap',bytes(p.heap_bytes),'resident '+bytes(p.resident_bytes),"
    "'heap_bytes'),tile('threads waiting',real(p.waiting_threads),'on average','waiting_threads'),"
    "tile('recording',p.recording_fraction==null?'-':(100*p.recording_fraction).toFixed(1)+' %',"
    "'of a processor')];id('tiles').replaceChildren(...tiles);\n"
    "const rows=all.rows.filter(r=>r.kind!='idle'&&r.kind!='region'&&(r.threads>5e-4||"
    "r.threads_span>5e-4)).sort((a,b)=>Math.max(b.threads,b.threads_span)-"
    "Math.max(a.threads,a.threads_span)).slice(0,30);\n"
    "fill('rows',[every/1000+' s',Math.round(p.span_ns/1e9)+' s','calls','rate','what'],"
    "rows.map(r=>[real(r.threads),"
    "real(r.threads_span),rate(r.calls_per_second),r.flops_per_second>0?flops(r.flops_per_second):"
    "r.kind=='wait'&&r.bytes_per_second>0?bytes(r.bytes_per_second)+'/"
    "s':'-',(r.kind=='wait'?'waits: ':'')+"
    "r.name]));\n"
    "fill('threads',['thread','since','in'],all.threads.map(t=>[t.thread,time(t.call_since_ns??"
    "t.wait_since_ns??t.region_since_ns),([t.call,t.wait&&'waits: '+t.wait].filter(x=>x)."
    "join(', ')||'between calls')+(t.region?' in '+t.region:'')]));\n"
    "fill('alerts',['from','severity','now','worst','what'],all.alerts.map(a=>[time(a.from_ns),"
    "a.severity,a.is_on?'on':'over',a.worst==null?'-':a.unit=='fraction'?(100*a.worst).toFixed(1)+"
    "' %':a.unit=='bytes'?bytes(a.worst):a.unit=='ns'?time(a.worst):a.worst.toPrecision(3),"
    "a.alert+': '+a.what]));\n"
    "if(all.processes.length>1){let j=id('job');if(!j){j=document.createElement('table');"
    "j.id='job';id('jobs').className='wide';id('jobs').append(j)}"
    "fill('job',['pid','state','used','steps','FLOP/s','heap','name'],all.processes.map(q=>[q.pid,"
    "q.state,real(q.processors_used),rate(q.steps_per_second),flops(q.flops_per_second),"
    "bytes(q.heap_bytes),q.name+(q.rank?' rank '+q.rank:'')]))}}\n"
    "async function go(){try{const r=await fetch(base+'data',{cache:'no-store'});"
    "if(!r.ok)throw new Error(r.status);show(await r.json());id('state').className='dim'}"
    "catch(e){id('state').textContent='tprof live has ended: '+e.message;"
    "id('state').className='bad'}setTimeout(go,every)}\ngo();\n</script></html>\n";

static uint64_t now_ns(void)
{
    struct timespec now;

    clock_gettime(CLOCK_MONOTONIC, &now);
    return (uint64_t)now.tv_sec * 1000000000 + (uint64_t)now.tv_nsec;
}

static void make_page(const struct page *page, struct text *body)
{
    text_append(body, head);
    text_appendf(body, "const every=%llu;\n", (unsigned long long)(page->every_ns / 1000000));
    text_append(body, script);
}

static void write_data(const void *of, FILE *out)
{
    const struct page *page = of;
    const struct render_options options = {0};
    struct diagnostic diagnostic;
    struct document document;

    live_report_build(&document, page->lives, page->count);
    if (renderer_json.document(&document, &options, out, &diagnostic))
        fputs("{}", out);
    document_fini(&document);
}

/* The totals of the names are as old as the names, so they are read again. */
static void write_metrics(const void *of, FILE *out)
{
    const struct page *page = of;
    struct metrics metrics;

    metrics_init(&metrics);
    for (size_t i = 0; i < page->count; i++) {
        struct diagnostic diagnostic;
        struct session session;
        struct outline outline;

        if (session_open_totals(&session, &outline, page->lives[i].file.path, &diagnostic))
            continue;
        metrics_add(&metrics, &session);
        outline_close(&outline);
        session_close(&session);
    }
    metrics_write(&metrics, true, out);
    metrics_fini(&metrics);
}

static const char *make(void *of, const char *path, struct text *body)
{
    const struct page *page = of;

    if (path[0] == '\0') {
        make_page(page, body);
        return "text/html; charset=utf-8";
    }
    if (strcmp(path, "data") == 0) {
        written_append(body, write_data, page);
        return "application/json";
    }
    if (strcmp(path, "metrics") == 0) {
        written_append(body, write_metrics, page);
        return "application/openmetrics-text; version=1.0.0; charset=utf-8";
    }
    return NULL;
}

static void read_all(const struct page *page)
{
    for (size_t i = 0; i < page->count; i++)
        live_read(&page->lives[i]);
}

enum status live_page_serve(struct live *live, size_t count, const char *address, uint64_t every_ns,
                            struct diagnostic *diagnostic)
{
    struct page page = {live, count, every_ns};
    struct http http = {.make = make, .of = &page};
    enum status status = http_open(&http, address, diagnostic);
    uint64_t next_ns = now_ns();
    bool goes_on = true;

    if (!status) {
        printf("http://%s/%s/\n", http.host, http.token);
        fflush(stdout);
    }
    while (!status && goes_on) {
        uint64_t time_ns = now_ns();

        if (time_ns >= next_ns) {
            read_all(&page);
            next_ns = time_ns + every_ns;
        }
        goes_on = http_serve(&http, (int)((next_ns - time_ns) / 1000000) + 1);
    }
    http_close(&http);
    return status;
}
