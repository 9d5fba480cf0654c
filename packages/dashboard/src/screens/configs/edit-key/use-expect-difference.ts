import { showRejection } from '../../../components/show-rejection.ts'
import { showToast } from '../../../components/toasts.tsx'
import type { ConfigSchema } from '../schema-picker.tsx'
import { noConfirmation } from '../use-save.ts'
import { useReplaceKey } from './use-replace-key.ts'

/** Marks a key as expected to differ between environments, which is no drift, or takes the mark away. */
export function useExpectDifference(schema: ConfigSchema) {
  const { replace, isPending } = useReplaceKey(schema)
  const expectDifference = (name: string, expectedToDiffer: boolean) => {
    const key = schema.schema[name]
    if (key === undefined || isPending) return
    const text = expectedToDiffer
      ? `${name} may differ between environments.`
      : `Differences of ${name} count as drift again.`
    replace(
      { name, key: { ...key, expectedToDiffer }, confirmation: noConfirmation },
      () => showToast({ text }),
      (problem) => showRejection(`change ${name}`, problem),
    )
  }
  return { expectDifference, isPending }
}
