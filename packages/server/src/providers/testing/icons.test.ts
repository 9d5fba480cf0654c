import { integrationKinds } from '@signalbox/contract/rest'
import { describe, expect, it } from 'vitest'
import { allProviders, providersOfKind } from '../find-provider.ts'

describe('the icon of a provider', () => {
  it.each(allProviders.map((provider) => [provider.name, provider.icon] as const))(
    'is two letters and an angle: %s',
    (_name, { letters, hue }) => {
      expect(letters).toMatch(/^[A-Z][A-Z0-9]$/)
      expect(hue).toBeGreaterThanOrEqual(0)
      expect(hue).toBeLessThan(360)
    },
  )

  it.each(integrationKinds)('is like no other among those of a %s', (kind) => {
    const letters = providersOfKind(kind).map(({ icon }) => icon.letters)
    expect(new Set(letters).size).toBe(letters.length)
  })
})
