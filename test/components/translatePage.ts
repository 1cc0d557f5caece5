/**
 * Does to a page what the translators of browsers do: puts each text node into `<font><font>`, in capitals here, and again
 * whatever changes. React keeps references to the text nodes that it has made, which are no longer in the page.
 *
 * @returns a function that stops it
 */
export function translatePage(root: Element): () => void {
  const translate = () => {
    const walker = root.ownerDocument.createTreeWalker(root, 4) // NodeFilter.SHOW_TEXT
    const texts: Text[] = []
    while (walker.nextNode()) texts.push(walker.currentNode as Text)
    for (const text of texts) {
      if (text.parentElement?.closest('font, style, script, textarea')) continue
      const [outer, inner] = ['font', 'font'].map((name) => root.ownerDocument.createElement(name))
      if (!outer || !inner) continue
      inner.textContent = text.data.toUpperCase()
      outer.append(inner)
      text.replaceWith(outer)
    }
  }
  translate()
  const observer = new MutationObserver(translate)
  observer.observe(root, { childList: true, characterData: true, subtree: true })
  return () => observer.disconnect()
}
