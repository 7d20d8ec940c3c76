/** The suite, for reports: the version of the package, and the version of the interface from section 9. */
export const suite: { readonly name: string; readonly version: string; readonly interface: string } = {
  name: 'pet-adoption-conformance',
  version: '1.0.0',
  interface: '1.0.0',
}
