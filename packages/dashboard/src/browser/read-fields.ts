/** Reads what was typed into the fields of a form, by their names; a field that is not there is empty. */
export function fieldsOf(form: HTMLFormElement): (name: string) => string {
  const data = new FormData(form)
  return (name) => {
    const value = data.get(name)
    return typeof value === 'string' ? value : ''
  }
}
