package io.remuda.coordinator.report;

import java.io.IOException;
import java.io.StringReader;
import java.util.ArrayList;
import java.util.List;
import javax.xml.parsers.DocumentBuilderFactory;
import javax.xml.parsers.ParserConfigurationException;
import org.w3c.dom.Document;
import org.w3c.dom.NodeList;
import org.xml.sax.InputSource;
import org.xml.sax.SAXException;

/** A report as a reader of XML sees it. */
public final class HtmlFile {

  private final Document document;

  private HtmlFile(Document document) {
    this.document = document;
  }

  /** Reads a report; throws if it is no XML. */
  public static HtmlFile of(String html) {
    try {
      DocumentBuilderFactory factory = DocumentBuilderFactory.newInstance();
      return new HtmlFile(
          factory.newDocumentBuilder().parse(new InputSource(new StringReader(html))));
    } catch (ParserConfigurationException | SAXException | IOException no) {
      throw new AssertionError("no XML: " + no.getMessage() + "\n" + html, no);
    }
  }

  /** Returns the number of elements of a name. */
  public int count(String name) {
    return document.getElementsByTagName(name).getLength();
  }

  /** Returns the texts of all elements of a name, a line each. */
  public String text(String name) {
    NodeList all = document.getElementsByTagName(name);
    List<String> texts = new ArrayList<>();
    for (int at = 0; at < all.getLength(); at++) {
      texts.add(all.item(at).getTextContent());
    }
    return String.join("\n", texts);
  }
}
