import { afterEach } from 'vitest'
import { openPages } from '../e2e/open-pages.ts'

// The machine of a check is gone when somebody reads its output: the text of the page is all that is left.
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
