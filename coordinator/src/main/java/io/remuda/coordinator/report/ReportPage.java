package io.remuda.coordinator.report;

import io.remuda.coordinator.drawing.DrawingStyle;
import io.remuda.coordinator.drawing.MarkupWriter;
import java.util.ArrayList;
import java.util.List;

/**
 * A report. Its HTML is XML, too, asks for nothing outside of itself, and forbids scripts.
 *
 * @param title heading
 * @param lead of what and when, one line each
 * @param sections the most important first
 */
public record ReportPage(String title, List<String> lead, List<ReportSection> sections) {

  /** Bytes of a report at most, about; sections that have no room are named at its end. */
  public static final int MOST = 8 << 20;

  private static final String POLICY = "default-src 'none'; style-src 'unsafe-inline'";

  public ReportPage {
    lead = List.copyOf(lead);
    sections = List.copyOf(sections);
  }

  /** Returns the report as HTML of at most about {@link #MOST} characters. */
  public String html() {
    return html(MOST);
  }

  String html(int most) {
    List<String> parts = new ArrayList<>();
    List<String> left = new ArrayList<>();
    int length = 0;
    for (ReportSection section : sections) {
      String part = html(section);
      if (length + part.length() > most) {
        left.add(section.title());
      } else {
        parts.add(part);
        length += part.length();
      }
    }
    MarkupWriter page = new MarkupWriter();
    page.open("html", "xmlns", "http://www.w3.org/1999/xhtml", "lang", "en");
    page.open("head");
    page.add("meta", "charset", "utf-8");
    page.add("meta", "http-equiv", "Content-Security-Policy", "content", POLICY);
    page.add("meta", "name", "viewport", "content", "width=device-width, initial-scale=1");
    page.add("meta", "name", "color-scheme", "content", "light dark");
    page.write("title", title);
    page.style(ReportStyle.SHEET + DrawingStyle.sheet());
    page.close().newLine().open("body").open("header");
    page.write("h1", title);
    lead.forEach(line -> page.write("p", line, "class", "lead"));
    page.close().newLine().open("main");
    parts.forEach(page::drawing);
    if (!left.isEmpty()) {
      page.open("section").write("h2", "Left out");
      page.write(
          "p",
          left.size()
              + (left.size() == 1 ? " section has" : " sections have")
              + " no room in this file, which has "
              + (most >> 20)
              + " MiB at most: "
              + String.join(", ", left.subList(0, Math.min(20, left.size())))
              + (left.size() > 20 ? " and others" : ""));
      page.close();
    }
    page.close().close().close();
    return "<!DOCTYPE html>\n" + page + "\n";
  }

  private static String html(ReportSection section) {
    MarkupWriter part = new MarkupWriter();
    part.open("section").write("h2", section.title());
    section.blocks().forEach(block -> html(part, block));
    return part.close().newLine().toString();
  }

  private static void html(MarkupWriter part, ReportBlock block) {
    if (block instanceof ReportBlock.Tiles tiles) {
      tiles(part, tiles);
    } else if (block instanceof ReportBlock.Table table) {
      table(part, table);
    } else if (block instanceof ReportBlock.Drawing drawing) {
      part.open("figure");
      part.open("div", "class", "wide").drawing(drawing.wide()).close();
      part.open("div", "class", "narrow").drawing(drawing.narrow()).close();
      if (!drawing.caption().isEmpty()) {
        part.write("figcaption", drawing.caption());
      }
      part.close();
    } else if (block instanceof ReportBlock.Words words) {
      part.write("p", words.text());
    } else if (block instanceof ReportBlock.Output output) {
      part.open("figure", "class", "output").write("figcaption", output.caption());
      part.open("pre", "tabindex", "0").lines(output.lines()).close().close();
    }
  }

  private static void tiles(MarkupWriter part, ReportBlock.Tiles tiles) {
    part.open("dl", "class", "tiles");
    for (ReportBlock.Tile tile : tiles.tiles()) {
      part.open("div").write("dt", tile.label()).write("dd", tile.value());
      if (!tile.note().isEmpty()) {
        part.write("dd", tile.note(), "class", "note");
      }
      part.close();
    }
    part.close();
  }

  private static void table(MarkupWriter part, ReportBlock.Table table) {
    part.open("div", "class", "scroll", "tabindex", "0", "role", "region", "aria-label", "table");
    part.open("table").open("thead").open("tr");
    table
        .heads()
        .forEach(head -> part.write("th", name(head), "scope", "col", "class", side(head)));
    part.close().close().open("tbody");
    for (List<String> row : table.rows()) {
      part.open("tr");
      for (int at = 0; at < row.size(); at++) {
        part.write("td", row.get(at), "class", side(table.heads().get(at)));
      }
      part.close();
    }
    part.close().close().close();
  }

  private static String name(String head) {
    return head.startsWith(">") ? head.substring(1) : head;
  }

  private static String side(String head) {
    return head.startsWith(">") ? "n" : null;
  }

  /** How a report looks: two themes, small screens, paper. */
  private static final class ReportStyle {

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
}
