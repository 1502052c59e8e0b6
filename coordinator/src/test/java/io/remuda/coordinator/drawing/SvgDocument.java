package io.remuda.coordinator.drawing;

import java.io.IOException;
import java.io.StringReader;
import java.util.ArrayList;
import java.util.List;
import javax.xml.XMLConstants;
import javax.xml.parsers.DocumentBuilderFactory;
import javax.xml.parsers.ParserConfigurationException;
import org.w3c.dom.Document;
import org.w3c.dom.Element;
import org.w3c.dom.NodeList;
import org.xml.sax.InputSource;
import org.xml.sax.SAXException;

/** A drawing as a reader of XML sees it. */
public final class SvgDocument {

  private final Document document;

  private SvgDocument(Document document) {
    this.document = document;
  }

  /** Reads a drawing; throws if it is no XML. */
  public static SvgDocument of(String svg) {
    try {
      DocumentBuilderFactory factory = DocumentBuilderFactory.newInstance();
      factory.setNamespaceAware(true);
      factory.setFeature(XMLConstants.FEATURE_SECURE_PROCESSING, true);
      return new SvgDocument(
          factory.newDocumentBuilder().parse(new InputSource(new StringReader(svg))));
    } catch (ParserConfigurationException | SAXException | IOException no) {
      throw new AssertionError("no XML: " + no.getMessage() + "\n" + svg, no);
    }
  }

  /** Returns an attribute of the root. */
  public String root(String attribute) {
    return document.getDocumentElement().getAttribute(attribute);
  }

  /** Returns the elements of a name, in order. */
  public List<Element> all(String name) {
    NodeList found = document.getElementsByTagNameNS("http://www.w3.org/2000/svg", name);
    List<Element> elements = new ArrayList<>();
    for (int at = 0; at < found.getLength(); at++) {
      elements.add((Element) found.item(at));
    }
    return elements;
  }

  /** Returns the texts of the elements of a name, in order. */
  public List<String> texts(String name) {
    return all(name).stream().map(Element::getTextContent).toList();
  }

  /** Returns an attribute of the elements whose classes begin with a word, in order. */
  public List<String> ofClass(String word, String attribute) {
    return all("*").stream()
        .filter(element -> (element.getAttribute("class") + " ").startsWith(word + " "))
        .map(element -> element.getAttribute(attribute))
        .toList();
  }
}
