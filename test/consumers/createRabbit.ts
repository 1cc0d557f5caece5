import type { Page } from 'playwright'

/** The rows of the list of categories. */
export const rows = (page: Page) => page.getByRole('region', { name: 'Categories' }).getByRole('listitem')

/** Creates a category with the form of the page. */
export async function createRabbit(page: Page): Promise<void> {
  for (const name of ['Dog', 'Cat']) await rows(page).filter({ hasText: name }).waitFor()
  await page.getByLabel('Name', { exact: true }).fill('Rabbit')
  await page.getByRole('button', { name: 'Create category' }).click()
  await page.getByText('Created “Rabbit”.').first().waitFor()
  await rows(page).filter({ hasText: 'Rabbit' }).waitFor()
}
