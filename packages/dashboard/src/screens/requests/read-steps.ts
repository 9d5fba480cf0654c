import { describeStep, type StepTerms } from '../configs/rules/rollout/describe-plan.ts'
import type { ChangeRequest } from './describe-request.ts'

/** Returns what a request of a rollout asks for, as sentences. `undefined`: it asks for something else. */
export function readSteps(
  { operation }: Pick<ChangeRequest, 'operation'>,
  nameOf: (signalId: string) => string,
): readonly string[] | undefined {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the server answers the operation as it takes it
  const { kind, body } = operation as unknown as {
    readonly kind: string
    readonly body?: {
      readonly steps: readonly (StepTerms & { readonly signals?: readonly string[] })[]
    }
  }
  if (kind !== 'plan' || body === undefined) return undefined
  return body.steps.map(({ signals = [], ...step }) => {
    const names = new Intl.ListFormat('en-GB').format(signals.map(nameOf))
    return `${describeStep(step)}${names === '' ? '' : `, watched by ${names}`}`
  })
}
