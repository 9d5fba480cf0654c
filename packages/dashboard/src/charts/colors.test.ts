import { readFile } from 'node:fs/promises'
import { beforeAll, describe, expect, it } from 'vitest'

const themes = ['light', 'dark'] as const
const drawn = ['accent', 'bad', 'warn', 'info', 'ok'] as const

let css: string
beforeAll(async () => {
  css = await readFile(new URL('../theme.css', import.meta.url), 'utf8')
})

/** Example: `colorOf('bad', 'dark')` is `#ff9d97`. */
function colorOf(name: string, theme: (typeof themes)[number]): string {
  const pair = new RegExp(`--color-${name}: light-dark\\((#\\w{6}), (#\\w{6})\\)`).exec(css)
  const color = pair?.[theme === 'light' ? 1 : 2]
  if (color === undefined) throw new Error(`The theme has no color ${name}`)
  return color
}

const channels = (color: string) =>
  [1, 3, 5].map((at) => Number.parseInt(color.slice(at, at + 2), 16) / 255)

const toLinear = (value: number) =>
  value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4

/** @see https://www.w3.org/TR/WCAG22/#dfn-relative-luminance */
function luminance(color: string): number {
  const [red = 0, green = 0, blue = 0] = channels(color).map(toLinear)
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue
}

function contrast(one: string, other: string): number {
  const [dark = 0, light = 0] = [luminance(one), luminance(other)].toSorted((a, b) => a - b)
  return (light + 0.05) / (dark + 0.05)
}

describe.each(themes)('the colors of pictures in the %s theme', (theme) => {
  it.each(drawn)('%s stands out from the ground, as WCAG 1.4.11 asks', (name) => {
    expect(contrast(colorOf(name, theme), colorOf('panel', theme))).toBeGreaterThanOrEqual(3)
  })
})
