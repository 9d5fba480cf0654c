import { isFurtherInstance, providersOfKind } from '../../providers/find-provider.ts'

/** Says how a workflow becomes one that can be started on request, as part of a sentence: at each code host, where there are several and `provider` does not say which. */
export function renderStartableAdvice(provider?: string | null): string {
  const all = providersOfKind('codehost')
  const known = all.filter(({ name }) => name === provider)
  const hosts = known.length > 0 ? known : all.filter(({ name }) => !isFurtherInstance(name))
  const [first, ...others] = hosts
  if (first !== undefined && others.length === 0) return first.startableAdvice
  return hosts
    .map(({ displayName, startableAdvice }) => `at ${displayName} ${startableAdvice}`)
    .join(', ')
}
