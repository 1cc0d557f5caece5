import type { Page } from 'playwright'

/** What a story shows, without its words: the elements on screen with roles, states and focus, one a line. */
export function storyShape(page: Page): Promise<string> {
  return page.evaluate(() => {
    const states =
      /^(?:role|type|open|hidden|disabled|readonly|required|data-status|aria-(?!label|describedby|controls|owns|valuetext).*)$/
    const shapeOf = (element: Element): string => {
      const attributes = [...element.attributes].filter(({ name }) => states.test(name))
      const isFilled = 'value' in element && element.value !== '' && element.matches('input, textarea')
      const isChecked = 'checked' in element && element.checked === true
      const hasWords = [...element.childNodes].some(({ nodeType, nodeValue }) => nodeType === 3 && nodeValue?.trim())
      const marks = [
        ...attributes.map(({ name, value }) => `${name}=${value}`),
        ...(isFilled ? ['filled'] : []),
        ...(isChecked ? ['checked'] : []),
        ...(element === document.activeElement ? ['focus'] : []),
        ...(hasWords ? ['words'] : []),
      ]
      // The line below the story that names its service is no part of the story.
      const children = [...element.children].filter(
        (child) => !child.matches('.story-service') && (child.checkVisibility() || child.matches('option')),
      )
      return [[element.localName, ...marks].join(' '), ...children.map(shapeOf)].join('\n').replaceAll('\n', '\n  ')
    }
    const root = document.querySelector('#storybook-root')
    return root ? shapeOf(root) : ''
  })
}
