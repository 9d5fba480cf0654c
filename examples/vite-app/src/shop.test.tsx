import { createTestConfig } from '@signalbox/react/testing'
import { cleanup, render, screen } from '@testing-library/react'
import { afterEach, expect, test } from 'vitest'
import { Shop } from './shop.tsx'

afterEach(cleanup)

test('a page follows its flag', () => {
  const { Provider, set } = createTestConfig({ greeting: 'Good evening', pageSize: 5 })
  render(<Shop />, { wrapper: Provider })
  expect(screen.getByRole('heading').textContent).toBe('Good evening')
  expect(screen.getByRole('button').textContent).toBe('Continue to checkout')
  set({ newCheckout: true })
  expect(screen.getByRole('button').textContent).toBe('Buy now')
})
