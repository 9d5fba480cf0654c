import { showRejection } from '../../../components/show-rejection.ts'
import { showToast } from '../../../components/toasts.tsx'
import type { ConfigSchema } from '../schema-picker.tsx'
import { noConfirmation } from '../use-save.ts'
import { useReplaceKey } from './use-replace-key.ts'

/** Marks a key as deprecated, or takes the mark away. Applications read the same values as before. */
export function useDeprecate(schema: ConfigSchema) {
  const { replace, isPending } = useReplaceKey(schema)
  const deprecate = (name: string, deprecated: boolean) => {
    const key = schema.schema[name]
    if (key === undefined || isPending) return
    const done = deprecated ? `${name} is deprecated.` : `${name} is no longer deprecated.`
    replace(
      { name, key: { ...key, deprecated }, confirmation: noConfirmation },
      () => showToast({ text: done }),
      (problem) => showRejection(`change ${name}`, problem),
    )
  }
  return { deprecate, isPending }
}
