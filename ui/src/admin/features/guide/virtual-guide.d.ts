declare module 'virtual:guide' {
  const sections: readonly import('./guide-node').GuideSection[]
  export default sections
}
