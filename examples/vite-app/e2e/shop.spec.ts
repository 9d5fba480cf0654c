import { expect, test } from '@playwright/test'

const snapshot = {
  version: 1,
  public: { greeting: 'Good evening', pageSize: 5 },
  featureFlags: { newCheckout: true },
}

test('a visitor sees the new checkout', async ({ page }) => {
  await page.route('**/config/snapshot?*', (route) => route.fulfill({ json: snapshot }))
  await page.goto('/')
  await expect(page.getByRole('button')).toHaveText('Buy now')
})
