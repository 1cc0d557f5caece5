import {
  convertElementToCssSelector,
  getByLabelSelector,
  getByRoleSelector,
  getByTextSelector,
  Locator,
  selectorEngine,
} from '@vitest/browser/locators'
import { page } from 'vitest/browser'

/** Finds elements in the page, as all locators do, and gives WebDriver their path in CSS. */
class WebDriverLocator extends Locator {
  readonly #path: string

  constructor(path: string, container?: Element) {
    super()
    this.#path = path
    // Vitest reads these fields, which its types do not declare.
    Object.assign(this, { _pwSelector: path, _container: container })
  }

  override get selector(): string {
    return convertElementToCssSelector(this.element())
  }

  protected override locator(path: string): Locator {
    return new WebDriverLocator(`${this.#path} >> ${path}`)
  }

  protected override elementLocator(element: Element): Locator {
    return new WebDriverLocator(selectorEngine.generateSelectorSimple(element), element)
  }
}

page.extend({
  getByLabelText: (text, options) => new WebDriverLocator(getByLabelSelector(text, options)),
  getByRole: (role, options) => new WebDriverLocator(getByRoleSelector(role, options)),
  getByText: (text, options) => new WebDriverLocator(getByTextSelector(text, options)),
  elementLocator: (element) => new WebDriverLocator(selectorEngine.generateSelectorSimple(element), element),
})
