import { expect, it } from 'vitest'
import { buildKey, buildMatrix, own } from '../testing/build-matrix.ts'
import { planPaste } from './plan-paste.ts'

it('lays each line beside what the environment has', () => {
  const matrix = buildMatrix([
    buildKey('apiUrl', [own('https://a.example'), { source: 'missing' }]),
    buildKey('timeoutMs', [own(250), own(250)], { type: 'number' }),
    buildKey('newCheckout', [{ source: 'default', value: false }, own(true)], {
      type: 'boolean',
      tier: 'featureFlags',
    }),
  ])
  const [environment] = matrix.environments
  if (environment === undefined) throw new Error('There is no environment')
  const text = 'API_URL=https://b.example\nTIMEOUT_MS=250\nNEW_CHECKOUT=maybe\nOTHER=1'
  const { lines } = planPaste(matrix, environment, text)
  expect(lines.map(({ outcome }) => outcome)).toEqual(['replaces', 'same', 'invalid', 'unknown'])
  expect(lines.flatMap(({ change }) => change?.edit ?? [])).toEqual([
    { kind: 'set', value: 'https://b.example' },
  ])
})

it('leaves alone what an environment inherits or has by default, and sets what differs from it', () => {
  const inherited = { source: 'inherited', inheritedFrom: 'env_0', value: 250 } as const
  const matrix = buildMatrix([
    buildKey('timeoutMs', [inherited, own(250)], { type: 'number' }),
    buildKey('retries', [{ source: 'default', value: 3 }, own(3)], { type: 'number' }),
    buildKey('pageSize', [inherited, own(250)], { type: 'number' }),
  ])
  const [environment] = matrix.environments
  if (environment === undefined) throw new Error('There is no environment')
  const { lines } = planPaste(matrix, environment, 'TIMEOUT_MS=250\nRETRIES=3\nPAGE_SIZE=20')
  expect(lines.map(({ outcome }) => outcome)).toEqual(['same', 'same', 'replaces'])
  expect(lines.map(({ detail }) => detail)).toEqual([
    'Already inherited: no change.',
    'Already the default: no change.',
    undefined,
  ])
})

it('refuses what the constraints of a key refuse, before anything is staged', () => {
  const matrix = buildMatrix([
    buildKey('currency', [own('EUR')], { constraints: { enum: ['EUR', 'USD'] } }),
    buildKey('timeoutMs', [own(250)], { type: 'number', constraints: { maximum: 1000 } }),
  ])
  const [environment] = matrix.environments
  if (environment === undefined) throw new Error('There is no environment')
  const { lines } = planPaste(matrix, environment, 'CURRENCY=YEN\nTIMEOUT_MS=2000')
  expect(lines.map(({ outcome, detail }) => [outcome, detail])).toEqual([
    ['invalid', 'Use one of EUR, USD.'],
    ['invalid', 'Use at most 1000.'],
  ])
})

it('opens no flag that somebody has turned off, here or where it is inherited from', () => {
  const off = { value: false, rules: [{ when: [], serve: false, aside: 'on' as const }] }
  const flag = { type: 'boolean', tier: 'featureFlags' } as const
  const matrix = buildMatrix([
    buildKey('killed', [{ ...own(false), ...off }, own(true)], flag),
    buildKey('killedAbove', [{ source: 'inherited', ...off }, own(true)], flag),
    buildKey('live', [own(false), own(true)], flag),
  ])
  const [environment] = matrix.environments
  if (environment === undefined) throw new Error('There is no environment')
  const { lines } = planPaste(matrix, environment, 'KILLED=true\nKILLED_ABOVE=true\nLIVE=true')
  expect(lines.map(({ outcome, detail }) => [outcome, detail])).toEqual([
    ['invalid', 'It is turned off. Turn it on first.'],
    ['invalid', 'It is turned off. Turn it on first.'],
    ['replaces', undefined],
  ])
})
