/** Elements that translators leave alone, and elements that may contain only text. */
const untouched = 'font, style, script, textarea, option, svg, [translate="no"]'

export interface TranslatedPage {
  /** The texts that should have changed: React has written into text nodes that are no longer in the page. */
  readonly staleTexts: () => readonly string[]
  readonly stop: () => void
}

/**
 * Does to a page what the translators of browsers do: replaces each text node by `<font><font>` with its text, now and after
 * each change. React keeps references to the text nodes that it has made, which are no longer in the page.
 */
export function translatePage(root: Element, translation = (text: string) => text): TranslatedPage {
  const replaced = new Map<Text, string>()
  const translate = () => {
    const walker = root.ownerDocument.createTreeWalker(root, 4) // NodeFilter.SHOW_TEXT
    const texts: Text[] = []
    while (walker.nextNode()) texts.push(walker.currentNode as Text)
    for (const text of texts) {
      if (!text.data.trim() || text.parentElement?.closest(untouched)) continue
      const [outer, inner] = ['font', 'font'].map((name) => root.ownerDocument.createElement(name))
      if (!outer || !inner) continue
      inner.textContent = translation(text.data)
      outer.append(inner)
      text.replaceWith(outer)
      replaced.set(text, text.data)
    }
  }
  translate()
  const observer = new MutationObserver(translate)
  observer.observe(root, { childList: true, characterData: true, subtree: true })
  return {
    staleTexts: () =>
      [...replaced].flatMap(([{ data }, shown]) => (data === shown ? [] : [`“${shown}”, not “${data}”`])),
    stop: () => observer.disconnect(),
  }
}
