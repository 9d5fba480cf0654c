import { Problem } from '@signalbox/contract'
import type { WorkflowDeclaration, WorkflowInput } from '../providers/codehost.ts'
import { toDispatchProblem } from './dispatch-problem.ts'

type Inputs = Readonly<Record<string, string>>

/**
 * Refuses to start a workflow with what its file says that it does not take. What the file does not say is left to the code
 * host.
 *
 * @throws {Problem} `workflow_not_dispatchable`, and `validation_failed` with a pointer to each input.
 */
export function checkInputs(
  { isDispatchable, inputs: declared }: WorkflowDeclaration,
  { ref, given, own }: { readonly ref: string; readonly given: Inputs; readonly own: Inputs },
): void {
  if (!isDispatchable) throw toDispatchProblem({ ref }, 'no_dispatch_trigger')
  const known = new Map(declared.map((input) => [input.name, input]))
  const names = new Set([...Object.keys(given), ...known.keys()])
  const errors = [...names].flatMap((name) => {
    const detail = faultOf(
      known.get(name),
      name,
      Object.hasOwn(given, name) ? given[name] : own[name],
    )
    const pointer = `/inputs/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`
    return detail === undefined ? [] : [{ pointer, code: 'validation_failed' as const, detail }]
  })
  if (errors.length === 0) return
  throw new Problem('validation_failed', `The workflow takes other inputs on ${ref}.`, { errors })
}

function faultOf(
  declared: WorkflowInput | undefined,
  name: string,
  value: string | undefined,
): string | undefined {
  if (declared === undefined) return `The workflow declares no input ${name}.`
  const isMissing = (value ?? declared.default ?? '') === ''
  // A flag that is not given is false.
  if (isMissing && declared.isRequired && declared.type !== 'boolean') {
    return `The workflow requires ${name}. Give a value.`
  }
  if (isMissing || value === undefined || declared.type !== 'choice') return undefined
  return declared.options.includes(value)
    ? undefined
    : `Choose one of ${declared.options.join(', ')}.`
}

/** Those of our own inputs that a workflow declares; all of them as long as that is not known. */
export function keepDeclared(declaration: WorkflowDeclaration | undefined, own: Inputs): Inputs {
  if (declaration === undefined) return own
  const names = new Set(declaration.inputs.map(({ name }) => name))
  return Object.fromEntries(Object.entries(own).filter(([name]) => names.has(name)))
}
