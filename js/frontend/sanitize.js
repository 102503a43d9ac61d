// @ts-check
// Markup of an output, without anything that could act. It stands in place of the package sanitize-html, which has a
// parser of its own; here the browser parses.

/** Elements that may be in an output. */
const ELEMENTS = new Set(
  (
    "a abbr b blockquote br caption code col colgroup dd del details div dl dt em figcaption figure h1 h2 h3 h4 h5 h6 hr i " +
    "img kbd li mark ol p pre q s samp small span strong sub summary sup table tbody td tfoot th thead time tr u ul var"
  ).split(" "),
);

/** Elements that are left out with all that is in them. */
const WITH_CONTENT = new Set(
  "base embed frame frameset head iframe link math meta noembed noscript object script style svg template textarea title".split(
    " ",
  ),
);

/** Attributes of all elements, and of some. */
const ATTRIBUTES = new Set(["class", "dir", "lang", "role", "style", "tabindex", "title"]);
/** @type {Record<string, string[]>} */
const OWN = {
  a: ["href", "target"],
  col: ["span"],
  img: ["src", "alt", "width", "height"],
  ol: ["start", "type"],
  table: ["border"],
  td: ["colspan", "rowspan", "headers"],
  th: ["colspan", "rowspan", "scope", "headers", "valign"],
  tr: ["valign"],
};

/** @param {string} value */
const isLink = (value) => {
  try {
    return ["http:", "https:", "mailto:"].includes(new URL(value, "https://page.invalid/").protocol);
  } catch {
    return false;
  }
};
/** @param {string} value */
const isPicture = (value) => /^data:image\/(png|jpeg|gif|webp);base64,[\w+/=\s]*$/i.test(value);
/** @param {string} value */
const isStyle = (value) => !/url\s*\(|expression\s*\(|@import|\\/i.test(value);

/** @param {string} tag @param {string} name @param {string} value */
export const isAllowed = (tag, name, value) => {
  if (name === "href") return tag === "a" && isLink(value);
  if (name === "src") return tag === "img" && isPicture(value);
  if (name === "style") return isStyle(value);
  return name.startsWith("aria-") || ATTRIBUTES.has(name) || Boolean(OWN[tag]?.includes(name));
};

/** @param {Node} from @param {Node} to @param {Set<string>} elements */
const copy = (from, to, elements) => {
  for (const node of from.childNodes) {
    if (node.nodeType === Node.TEXT_NODE) to.appendChild(document.createTextNode(node.nodeValue ?? ""));
    if (!(node instanceof Element) && node.nodeType !== Node.ELEMENT_NODE) continue;
    const element = /** @type {Element} */ (node);
    const tag = element.localName;
    if (WITH_CONTENT.has(tag)) continue;
    if (!elements.has(tag)) {
      copy(element, to, elements);
      continue;
    }
    const made = document.createElement(tag);
    for (const { name, value } of element.attributes) if (isAllowed(tag, name, value)) made.setAttribute(name, value);
    if (made.getAttribute("target") === "_blank") made.setAttribute("rel", "noopener");
    copy(element, made, elements);
    to.appendChild(made);
  }
};

/**
 * Return markup as nodes that cannot act.
 *
 * @param {string} markup
 * @param {Set<string>} elements
 */
export const clean = (markup, elements = ELEMENTS) => {
  // A document of a parser runs no scripts and loads no pictures.
  const parsed = new DOMParser().parseFromString(markup, "text/html");
  const made = document.createDocumentFragment();
  copy(parsed.body, made, elements);
  return made;
};

/**
 * Return markup without what could act, as the manager of widgets asks for the description of a widget.
 *
 * @param {string} markup
 * @param {{ allowedTags: string[] }} options
 */
export default (markup, { allowedTags }) => {
  const box = document.createElement("div");
  box.append(clean(markup, new Set(allowedTags)));
  return box.innerHTML;
};
