/** Simulates another window: a document with its own active element and its own `HTMLElement`. */
export function frame() {
  const { contentDocument } = document.body.appendChild(document.createElement('iframe'))
  if (!contentDocument) throw new Error('The frame has no document.')
  return { root: contentDocument, place: contentDocument.body }
}

export function shadow() {
  const root = document.body.appendChild(document.createElement('div')).attachShadow({ mode: 'open' })
  return { root, place: root.appendChild(document.createElement('div')) }
}
