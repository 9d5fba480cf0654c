import { Problem } from '@signalbox/contract'
import {
  notStartable,
  type WorkflowInput,
  type WorkflowInterface,
} from '../../providers/codehosts/workflow.ts'
import { toDispatchProblem } from './dispatch-problem.ts'

type Inputs = Readonly<Record<string, string>>

/**
 * Checks that a workflow accepts the inputs of a start. The code host judges what the interface of the workflow does
 * not declare.
 *
 * @throws {Problem} `workflow_not_dispatchable`, and `validation_failed` with a pointer to each input.
 */
export function checkInputs(
  { isStartable, inputs: declared }: WorkflowInterface,
  { ref, inputs, own }: { readonly ref: string; readonly inputs: Inputs; readonly own: Inputs },
): void {
  if (!isStartable) throw toDispatchProblem(ref, notStartable)
  const known = new Map(declared.map((input) => [input.name, input]))
  const names = new Set([...Object.keys(inputs), ...known.keys()])
  const errors = [...names].flatMap((name) => {
    const value = Object.hasOwn(inputs, name) ? inputs[name] : own[name]
    const detail = describeError(known.get(name), name, value)
    const pointer = `/inputs/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`
    return detail === undefined ? [] : [{ pointer, code: 'validation_failed' as const, detail }]
  })
  if (errors.length === 0) return
  throw new Problem('validation_failed', `The workflow has different inputs on ${ref}.`, { errors })
}

function describeError(
  declared: WorkflowInput | undefined,
  name: string,
  value: string | undefined,
): string | undefined {
  if (declared === undefined) return `The workflow has no input ${name}.`
  const isMissing = (value ?? declared.default ?? '') === ''
  // A missing flag is false.
  if (isMissing && declared.isRequired && declared.type !== 'boolean') {
    return `The workflow requires ${name}. Enter a value.`
  }
  if (isMissing || value === undefined || declared.type !== 'choice') return undefined
  return declared.options.includes(value)
    ? undefined
    : `Choose one of ${declared.options.join(', ')}.`
}

/** Returns those of our own inputs that a workflow takes; all of them as long as that is not known. */
export function keepDeclared(of: WorkflowInterface | undefined, own: Inputs): Inputs {
  if (of === undefined) return own
  const names = new Set(of.inputs.map(({ name }) => name))
  return Object.fromEntries(Object.entries(own).filter(([name]) => names.has(name)))
}
