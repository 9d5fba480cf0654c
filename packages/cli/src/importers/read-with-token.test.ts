import { afterEach, describe, expect, it } from 'vitest'
import { createAsk } from './ask-product.ts'
import { importers } from './registry.ts'
import {
  doubledProducts,
  token,
  type DoubledProduct,
  type ProductState,
} from './testing/doubled-products.ts'
import { startProduct, type Fault, type ProductDouble } from './testing/product-double.ts'

/** Fills three pages of a hundred, or four of ten. */
const toNames = (count: number) =>
  Array.from({ length: count }, (_, index) => `KEY_${String(index).padStart(3, '0')}`)
const options = { environment: 'production', environments: new Map([['prod', 'production']]) }

let product: ProductDouble
afterEach(() => product.close())

interface Opened {
  readonly names: readonly string[]
  readonly state: ProductState
  readonly waited: number[]
  readonly read: () => Promise<string[]>
}

async function open(
  doubled: DoubledProduct,
  {
    onAnswer,
    answerSeconds,
  }: {
    readonly onAnswer?: (state: ProductState) => void
    readonly answerSeconds?: number
  } = {},
): Promise<Opened> {
  const names = toNames(doubled.source === 'launchdarkly' ? 250 : 35)
  const state: ProductState = { names: [...names], isEndless: false }
  product = await startProduct((request) => {
    const answer = doubled.answer(request, state)
    onAnswer?.(state)
    return answer
  }, doubled.hasToken)
  const waited: number[] = []
  const env = doubled.env(product.url)
  const importer = importers.get(doubled.source)
  const ask = createAsk({
    fetch,
    wait: (seconds) => {
      waited.push(seconds)
      return Promise.resolve()
    },
    now: () => new Date(),
    hidden: [env[importer?.tokenVariable ?? ''] ?? ''],
    ...(answerSeconds !== undefined && { answerSeconds }),
    requestsMax: 80,
  })
  return {
    names,
    state,
    waited,
    read: async () => {
      const { project, environments = [], path } = doubled
      const text = await importer?.fromToken?.({ env, project, environments, path, ask })
      const { keys, leftOut } = importer?.fromFile(text ?? '', options) ?? { keys: [], leftOut: [] }
      expect(leftOut).toEqual([])
      return keys.map(({ from }) => from.replace(/^.*\//, '')).toSorted()
    },
  }
}

async function failureOf(read: () => Promise<unknown>): Promise<string> {
  try {
    await read()
    return 'no failure'
  } catch (error) {
    return error instanceof Error ? `${error.name} ${error.message} ${String(error.cause)}` : 'odd'
  }
}

describe.each(doubledProducts.map((one) => [one.source, one] as const))('%s', (_, doubled) => {
  it('is read whole with its token, which is in no request without need', async () => {
    const { names, read } = await open(doubled)
    expect(await read()).toEqual(names)
    expect(product.seen.every((request) => doubled.hasToken(request))).toBe(true)
    expect(product.seen.every(({ body }) => !body.includes(token))).toBe(true)
  })

  it.each<[string, Fault, number]>([
    ['asks to wait', { status: 429, headers: { 'retry-after': '7' } }, 7],
    ['fails once', { status: 503 }, 2],
    ['breaks an answer off', 'cut', 2],
    ['is silent once', 'silent', 2],
  ])('that %s is asked again', async (__, fault, seconds) => {
    // A busy machine may be silent for a moment more.
    const { names, read, waited } = await open(
      doubled,
      fault === 'silent' ? { answerSeconds: 0.3 } : {},
    )
    product.faults.push(fault)
    expect(await read()).toEqual(names)
    expect(fault === 'silent' ? waited.slice(0, 1) : waited).toEqual([seconds])
  })

  it.each<[string, readonly Fault[], RegExp]>([
    ['refuses the token', [{ status: 401, body: token }], /refuses the token \(401\)/],
    ['answers no JSON', ['malformed'], /answers no JSON/],
    ['is asked for what is not there', [{ status: 404 }], /answers 404/],
    ['always asks to wait', Array.from({ length: 9 }, () => ({ status: 429 })), /answers 429/],
  ])('that %s ends with an error that shows no token', async (__, faults, message) => {
    const { read } = await open(doubled)
    product.faults.push(...faults)
    const failure = await failureOf(read)
    expect(failure).toMatch(/^ExportError /)
    expect(failure).toMatch(message)
    expect(failure).not.toContain(token)
  })

  it('that cannot be reached says so', async () => {
    const { read } = await open(doubled)
    await product.close()
    expect(await failureOf(read)).toMatch(/ExportError 127\.0\.0\.1:\d+ can't be reached/)
  })
})

const paged = doubledProducts
  .filter(({ isPaged }) => isPaged === true)
  .map((one) => [one.source, one] as const)
// Systems Manager and Secrets Manager continue behind a name, wherever that has moved to.
const numbered = paged.filter(([source]) => !source.startsWith('aws'))

describe.each(paged)('pages of %s', (_, doubled) => {
  it.each<[string, (list: string[]) => string[]]>([
    ['goes', (list) => list.slice(1)],
    ['comes', (list) => ['KEY_00', ...list]],
    ['goes and another comes', (list) => [...list.slice(1), 'KEY_999']],
  ])('lose nothing and have nothing twice when an entry %s meanwhile', async (__, change) => {
    let isChanged = false
    const { names, read, state } = await open(doubled, {
      onAnswer(own) {
        // The first page is answered; what comes next is another list.
        const isPage = /flags|document|^\/$/.test(product.seen.at(-1)?.url.pathname ?? '')
        if (isChanged || !isPage) return
        isChanged = true
        own.names = change(own.names)
      },
    })
    const result = await read()
    expect(isChanged).toBe(true)
    // Each name that was there all the time is there once.
    const stayed = names.filter((name) => state.names.includes(name))
    expect(result.filter((name) => stayed.includes(name))).toEqual(stayed)
    expect(new Set(result).size).toBe(result.length)
  })

  it('without an end are given up', async () => {
    const { read, state } = await open(doubled)
    state.isEndless = true
    expect(await failureOf(read)).toMatch(/has always one more page: 80 requests/)
  })
})

it.each(numbered)('pages of %s that change each time end with an error', async (_, doubled) => {
  const { read } = await open(doubled, {
    onAnswer(own) {
      own.names = [`KEY_${own.names.length}`, ...own.names]
    },
  })
  expect(await failureOf(read)).toMatch(/-D002: .* Import again\./)
})
