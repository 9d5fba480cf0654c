import { describeFlag } from '@signalbox/contract'
import type { ConfigReport } from '../api/operations.ts'

type Returning = NonNullable<ConfigReport[number]['returning']>

/** Returns the values that come back, one line each. Example: `production: newCheckout: on for 25%`. */
export function returningLines(report: ConfigReport): string[] {
  return report.flatMap(({ environment, returning = [] }) =>
    returning.map(({ key, ...value }) => `${environment}: ${key}: ${describeReturning(value)}`),
  )
}

function describeReturning({ tier, value, rules }: Omit<Returning[number], 'key'>): string {
  if (tier === 'secret') return 'a secret'
  return tier === 'featureFlags' ? describeFlag({ value, rules }) : JSON.stringify(value)
}
