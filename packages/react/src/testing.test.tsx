import { flushSync } from 'react-dom'
import { createRoot } from 'react-dom/client'
import { expect, it, vi } from 'vitest'
import type { AnyConfig } from '@signalbox/config'
import { createBindings } from './index.ts'
import { createTestConfig } from './testing.ts'

it('what a test sets is rendered when set returns, and React warns of nothing', () => {
  const complain = vi.spyOn(console, 'error')
  const bindings = createBindings<AnyConfig>()
  const { Provider, set } = createTestConfig<AnyConfig>({ pageSize: 3 }, bindings)
  const Page = () =>
    `${Number(bindings.usePublicConfig('pageSize'))} ${bindings.useFeatureFlag('isNew')}`
  const element = document.createElement('div')
  const root = createRoot(element)
  flushSync(() =>
    root.render(
      <Provider>
        <Page />
      </Provider>,
    ),
  )
  expect(element.textContent).toBe('3 false')
  set({ isNew: true })
  expect(element.textContent).toBe('3 true')
  set({ pageSize: 4 })
  expect(element.textContent).toBe('4 true')
  flushSync(() => root.unmount())
  expect(complain).not.toHaveBeenCalled()
  complain.mockRestore()
})
