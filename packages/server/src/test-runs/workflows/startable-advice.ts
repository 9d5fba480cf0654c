import { providersOfKind } from '../../providers/find-provider.ts'

/** Says how a workflow becomes one that can be started on request, as part of a sentence: at each code host, where there are several. */
export function renderStartableAdvice(): string {
  const hosts = providersOfKind('codehost')
  const [first, ...others] = hosts
  if (first !== undefined && others.length === 0) return first.startableAdvice
  return hosts
    .map(({ displayName, startableAdvice }) => `at ${displayName} ${startableAdvice}`)
    .join(', ')
}
