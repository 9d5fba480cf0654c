import type { AnyConfig } from '@signalbox/config'
import { createBindings, type ConfigProviderProps } from '@signalbox/react'
import { Component, createElement, StrictMode, type ReactNode } from 'react'

export type AppProps = ConfigProviderProps

const { ConfigProvider, useConfigStatus, useFeatureFlag, usePublicConfig } =
  createBindings<AnyConfig>()

declare global {
  /** Counts how often each component was rendered. */
  var renders: Record<string, number> | undefined
}

function count(name: string) {
  globalThis.renders ??= {}
  globalThis.renders[name] = (globalThis.renders[name] ?? 0) + 1
}

function Size() {
  count('size')
  return createElement('span', null, Number(usePublicConfig('pageSize')))
}

function Flag() {
  count('flag')
  return createElement('span', null, useFeatureFlag('newCheckout') ? ' on ' : ' off ')
}

/** Shows the source of the values, with a `!` when the last attempt to read them failed. */
function Source() {
  const { source, error } = useConfigStatus()
  return createElement('span', null, error ? `${source}!` : source)
}

class Boundary extends Component<{ readonly children: ReactNode }> {
  override state = { code: undefined }
  static getDerivedStateFromError = (error: unknown) => ({
    code: error instanceof Error && 'code' in error ? error.code : 'other',
  })
  override render() {
    return this.state.code === undefined ? this.props.children : `caught ${String(this.state.code)}`
  }
}

/** A page that shows a value, a flag and where they came from. */
export function App(props: AppProps) {
  const children = [Size, Flag, Source].map((each) => createElement(each, { key: each.name }))
  const provider = createElement(ConfigProvider, { fallback: 'wait', ...props, children })
  return createElement(StrictMode, null, createElement(Boundary, null, provider))
}
