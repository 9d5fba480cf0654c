import { afterEach } from 'vitest'
import { openPages } from '../e2e/open-pages.ts'

// What a browser showed when a test failed is gone with its machine; the reader of the output needs it.
afterEach(async ({ task }) => {
  if (task.result?.state !== 'fail') return
  for (const page of openPages) {
    const text = await page
      .evaluate(() => {
        const layers = [
          ...document.querySelectorAll<HTMLElement>('main, dialog[open], [role=status]'),
        ]
        return layers.map(({ innerText }) => innerText).join('\n---\n')
      })
      .catch((error: unknown) => `cannot be read: ${String(error)}`)
    console.error(`${task.name}\nfailed on ${page.url()}, which shows:\n${text.slice(0, 3000)}`)
  }
})
