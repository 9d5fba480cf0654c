import { createTestConfig, setServerConfig } from '@signalbox/next/testing'
import { cleanup, render, screen } from '@testing-library/react'
import { afterEach, expect, test } from 'vitest'
import { Checkout } from './checkout'
import Page from './page'

afterEach(() => {
  cleanup()
  setServerConfig(undefined)
})

test('a client component follows its flag', () => {
  const { Provider, set } = createTestConfig({ pageSize: 5 })
  render(<Checkout />, { wrapper: Provider })
  expect(screen.getByRole('heading').textContent).toBe('The checkout')
  set({ newCheckout: true })
  expect(screen.getByRole('heading').textContent).toBe('The new checkout')
})

test('a server component shows its values', async () => {
  setServerConfig({ greeting: 'Good evening' })
  const { Provider } = createTestConfig({ pageSize: 5 })
  render(await Page(), { wrapper: Provider })
  expect(screen.getByRole('heading', { level: 1 }).textContent).toBe('Good evening')
})
