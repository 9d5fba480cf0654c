import type { AnyConfig, RegisteredKeys } from '@signalbox/config'
import { createBindings as createReactBindings, type ConfigProviderProps } from '@signalbox/react'
import { createElement, useMemo } from 'react'
import type { Bindings, LiveValue } from './binding-types.ts'

/**
 * Creates a provider and hooks for one configuration, separate from all others: for a program that reads several, and
 * for libraries. With a registered configuration, use the exports of this package. Call it in a file that begins with
 * `'use client'`.
 *
 * @example
 * ```tsx
 * 'use client'
 * import { defineConfig, number } from '@signalbox/config'
 * import { createBindings } from '@signalbox/next'
 *
 * const search = defineConfig({ public: { depth: number() } })
 * export const { ConfigProvider, usePublicConfig } = createBindings<typeof search>()
 * ```
 */
export function createBindings<C extends AnyConfig = RegisteredKeys>(): Bindings<C>
export function createBindings(): Bindings<AnyConfig> {
  const react = createReactBindings<AnyConfig>()

  function useLive<T>(value: T): LiveValue<T> {
    const { version, stale } = react.useConfigStatus()
    return useMemo(() => ({ value, version, stale }), [value, version, stale])
  }

  function ConfigProvider(props: ConfigProviderProps) {
    const { schemaId, environmentId } = props.initialValues ?? {}
    if (!schemaId || !environmentId) return createElement(react.ConfigProvider, props)
    // The server has resolved the names while rendering, so the browser reads by ids.
    const ids = {
      schemaId,
      environmentId,
      orgId: undefined,
      environment: undefined,
      schema: undefined,
    }
    return createElement(react.ConfigProvider, { ...props, ...ids })
  }

  return {
    ...react,
    ConfigProvider,
    usePublicConfig: (key) => useLive(react.usePublicConfig(key)),
    useFeatureFlag: (key) => useLive(react.useFeatureFlag(key)),
  }
}
