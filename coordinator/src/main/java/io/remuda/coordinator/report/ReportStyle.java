package io.remuda.coordinator.report;

/** How a report looks: two themes, small screens, paper. */
final class ReportStyle {

  static final String SHEET =
      ":root{color-scheme:light dark;--ink:#1b1f24;--soft:#57606a;--bg:#fff;--line:#d8dee4;"
          + "--tile:#f6f8fa}"
          + "@media screen and (prefers-color-scheme:dark){:root{--ink:#e6edf3;--soft:#9aa7b4;"
          + "--bg:#0f1419;--line:#2b3540;--tile:#161d25}}"
          + "*{box-sizing:border-box}"
          + "body{margin:0 auto;max-width:1000px;padding:12px 20px 48px;background:var(--bg);"
          + "color:var(--ink);font:15px/1.5 system-ui,-apple-system,\"Segoe UI\",Roboto,"
          + "\"Helvetica Neue\",Arial,sans-serif}"
          + "h1{font-size:26px;line-height:1.25;margin:16px 0 6px;overflow-wrap:anywhere}"
          + "h2{font-size:18px;margin:36px 0 10px;padding-top:10px;border-top:1px solid var(--line);"
          + "overflow-wrap:anywhere}"
          + "p{margin:8px 0;overflow-wrap:anywhere}.lead{color:var(--soft);margin:0}"
          + ".tiles{display:grid;grid-template-columns:repeat(auto-fill,minmax(150px,1fr));gap:10px;"
          + "margin:14px 0}"
          + ".tiles div{background:var(--tile);border:1px solid var(--line);border-radius:8px;"
          + "padding:10px 12px}"
          + "dt{color:var(--soft);font-size:13px}dd{margin:0;font-size:20px;font-weight:600;"
          + "overflow-wrap:anywhere}dd.note{font-size:13px;font-weight:400;color:var(--soft)}"
          + "figure{margin:14px 0;break-inside:avoid}"
          + "figcaption{color:var(--soft);font-size:13px;margin:4px 0}"
          + "svg{display:block;max-width:100%;height:auto}.narrow{display:none}"
          + ".scroll{overflow-x:auto;margin:12px 0}"
          + "table{border-collapse:collapse;width:100%;font-size:13px;"
          + "font-variant-numeric:tabular-nums}"
          + "th{text-align:left;font-weight:600;color:var(--soft);vertical-align:bottom}"
          + "th,td{padding:5px 12px 5px 0;border-bottom:1px solid var(--line);vertical-align:top}"
          + "th.n,td.n{text-align:right;white-space:nowrap}tr{break-inside:avoid}"
          + "pre{background:var(--tile);border:1px solid var(--line);border-radius:8px;"
          + "padding:10px 12px;margin:0;font:12px/1.45 ui-monospace,SFMono-Regular,Menlo,Consolas,"
          + "monospace;white-space:pre-wrap;overflow-wrap:anywhere}"
          + "@media (max-width:700px){body{padding:8px 10px 32px}h1{font-size:21px}"
          + ".wide{display:none}.narrow{display:block}"
          + ".tiles{grid-template-columns:repeat(auto-fill,minmax(130px,1fr))}}"
          + "@media print{body{max-width:none;padding:0;font-size:11pt}.wide{display:block}"
          + ".narrow{display:none}.scroll{overflow:visible}h2{break-after:avoid}}";

  private ReportStyle() {}
}
