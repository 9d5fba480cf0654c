import type { PeerCondition, PeerFlag, PeerRule } from '../flags.ts'
import { loadSdk, silent, type Product } from '../product.ts'

interface Sdk {
  FlagdCore: new (
    storage: undefined,
    logger: object,
  ) => {
    setConfigurations(definition: string): unknown
    resolveBooleanEvaluation(
      key: string,
      fallback: boolean,
      context: object,
      logger: object,
    ): { readonly value: boolean }
  }
}

function toLogic(condition: PeerCondition): object {
  const value = { var: condition.attribute }
  if ('oneOf' in condition) return { in: [value, condition.oneOf] }
  if ('endsWith' in condition) return { ends_with: [value, condition.endsWith] }
  return { '>=': [value, condition.atLeast] }
}

/** Renders a rule as a condition and what it serves, which is the last word when there is no condition. */
const toBranch = (rule: PeerRule): readonly unknown[] =>
  'percent' in rule
    ? [
        {
          fractional: [
            ['on', rule.percent],
            ['off', 100 - rule.percent],
          ],
        },
      ]
    : [{ and: rule.when.map(toLogic) }, 'on']

const toFlag = ({ on, rules }: PeerFlag) => ({
  state: 'ENABLED',
  variants: { on: true, off: false },
  defaultVariant: on ? 'on' : 'off',
  ...(rules.length > 0 && { targeting: { if: rules.flatMap(toBranch) } }),
})

export const flagd: Product = {
  name: 'flagd',
  sdk: '@openfeature/flagd-core',
  setup: '`core.resolveBooleanEvaluation()`, which its provider calls; no log',
  encode: (flags) =>
    JSON.stringify({ flags: Object.fromEntries(flags.map((flag) => [flag.key, toFlag(flag)])) }),
  async open(text) {
    const { FlagdCore } = await loadSdk<Sdk>(this.sdk)
    const core = new FlagdCore(undefined, silent)
    core.setConfigurations(text)
    return ({ id, ...rest }) => {
      const context = { targetingKey: id, ...rest }
      return () => (key) => core.resolveBooleanEvaluation(key, false, context, silent).value
    }
  },
}
