import type { GitlabCi, GitlabInput } from './state.ts'

/** Holds the path of the CI file. */
export const ciPath = '.gitlab-ci.yml'

/**
 * Returns the CI file: a header with the inputs, `---`, and the jobs. Text of others is written as JSON, which is YAML.
 *
 * @see https://docs.gitlab.com/ci/inputs/
 */
export function writeCiFile({ inputs, workflowName, jobs }: GitlabCi): string {
  const header =
    inputs.length === 0 ? [] : ['spec:', '  inputs:', ...inputs.flatMap(writeInput), '---']
  return [
    ...header,
    ...(workflowName === undefined ? [] : ['workflow:', `  name: ${JSON.stringify(workflowName)}`]),
    ...jobs.flatMap(({ name, stage, environment }) => [
      `${JSON.stringify(name)}:`,
      `  stage: ${JSON.stringify(stage)}`,
      ...(environment === undefined ? [] : [`  environment: ${JSON.stringify(environment)}`]),
      '  script:',
      '    - "true"',
    ]),
    '',
  ].join('\n')
}

function writeInput({ name, ...fields }: GitlabInput): string[] {
  const written = Object.entries(fields)
    .filter(([, value]) => value !== undefined)
    .map(([field, value]) => `      ${field}: ${JSON.stringify(value)}`)
  // An input without a field has an empty mapping, which GitLab reads as a required text.
  return written.length === 0
    ? [`    ${JSON.stringify(name)}:`]
    : [`    ${JSON.stringify(name)}:`, ...written]
}

/** Returns the values of the inputs, defaults included, or what GitLab says of the first that is wrong. */
export function readInputs(
  declared: readonly GitlabInput[],
  sent: Readonly<Record<string, unknown>>,
): { readonly values: Readonly<Record<string, unknown>> } | { readonly violation: string } {
  const unknown = Object.keys(sent).filter((name) => !declared.some((input) => input.name === name))
  if (unknown.length > 0) {
    return {
      violation: `Given inputs not defined in the \`spec\` section of the included configuration file: ${unknown.join(', ')}`,
    }
  }
  const values: Record<string, unknown> = {}
  for (const input of declared) {
    const value = sent[input.name] ?? input.default
    const violation =
      value === undefined ? 'required value has not been provided' : violationOf(input, value)
    if (violation !== undefined) return { violation: `\`${input.name}\` input: ${violation}` }
    values[input.name] = value
  }
  return { values }
}

function violationOf(
  { type = 'string', options, regex }: GitlabInput,
  value: unknown,
): string | undefined {
  const isOfType = type === 'array' ? Array.isArray(value) : typeof value === type
  if (!isOfType) return `provided value is not a ${type}`
  const text = String(value)
  if (options !== undefined && !options.map(String).includes(text)) {
    return `\`${text}\` cannot be used because it is not in the list of allowed options`
  }
  if (regex !== undefined && !new RegExp(regex).test(text)) {
    return 'provided value does not match required RegEx pattern'
  }
  return undefined
}

/** Returns the name of a pipeline by `workflow:name`, with inputs and variables in their places. */
export function nameOf(
  { workflowName }: GitlabCi,
  inputs: Readonly<Record<string, unknown>>,
  variables: readonly { readonly key: string; readonly value: string }[],
): string | null {
  if (workflowName === undefined) return null
  return workflowName
    .replaceAll(/\$\[\[\s*inputs\.([\w-]+)\s*\]\]/g, (_, name: string) =>
      String(Object.hasOwn(inputs, name) ? inputs[name] : ''),
    )
    .replaceAll(
      /\$(\w+)/g,
      (_, name: string) => variables.find(({ key }) => key === name)?.value ?? '',
    )
    .slice(0, 255)
}
