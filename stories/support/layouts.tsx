import type { Decorator } from '@storybook/react-vite'
import { expect } from 'storybook/test'

/** The narrowest width that components support, in px. */
const minWidth = 240

export const narrow: Decorator = (Story) => (
  <div style={{ inlineSize: minWidth }}>
    <Story />
  </div>
)

export async function expectNarrowFit(element: HTMLElement): Promise<void> {
  await expect(element.scrollWidth).toBeLessThanOrEqual(element.clientWidth)
  await expect(element.getBoundingClientRect().width).toBeLessThanOrEqual(minWidth)
}
