import { useEffect, type RefObject } from 'react'

/**
 * Moves the focus to the first refused field once a form was refused, because it may be out of sight. A refusal that no
 * field shows is scrolled to. `refusal` is another one after each attempt.
 */
export function useFocusRefused(form: RefObject<HTMLFormElement | null>, refusal: unknown): void {
  useEffect(() => {
    if (refusal === undefined || refusal === null) return
    const field = form.current?.querySelector<HTMLElement>('[aria-invalid]')
    if (field) field.focus()
    else form.current?.querySelector('[role=alert]')?.scrollIntoView({ block: 'center' })
  }, [form, refusal])
}
