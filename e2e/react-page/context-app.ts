import type { AnyConfig, LimitRange } from '@signalbox/config'
import { createBindings, type ConfigProviderProps } from '@signalbox/react'
import { createContextHooks, type EvaluationContext } from '@signalbox/react/context'
import { createElement, StrictMode } from 'react'

export interface ContextAppProps {
  readonly provider: ConfigProviderProps
  readonly contexts: readonly EvaluationContext[]
  readonly range?: LimitRange
}

const bindings = createBindings<AnyConfig>()
const { useFlagFor, useValueFor, useVariantFor } = createContextHooks<AnyConfig>(bindings)

function User({ context, range }: { readonly context: EvaluationContext; range?: LimitRange }) {
  const words = [
    Number(useValueFor('seats', context, range)),
    useFlagFor('checkout', context) ? 'on' : 'off',
    useVariantFor('checkout', context) ?? '-',
  ]
  return createElement('span', null, `[${words.join(' ')}]`)
}

/** A page that shows a value, a flag and its variant for each of several users. */
export function ContextApp({ provider, contexts, ...others }: ContextAppProps) {
  const children = contexts.map((context, key) => createElement(User, { key, context, ...others }))
  return createElement(
    StrictMode,
    null,
    createElement(bindings.ConfigProvider, { fallback: 'wait', ...provider, children }),
  )
}
