//! Options of `import`.

use clap::{ArgGroup, Args};
use std::path::PathBuf;

#[derive(Debug, Clone, Args)]
#[command(group(ArgGroup::new("source").required(true).args(["dir", "wordpress", "csv"])))]
pub struct ImportOptions {
    /// Folder that `export` wrote
    pub dir: Option<PathBuf>,
    /// Export of WordPress (Tools, Export, All content): its posts become articles
    #[arg(long, value_name = "FILE")]
    pub wordpress: Option<PathBuf>,
    /// With --wordpress: its folder wp-content/uploads, or a ZIP of it
    #[arg(long, value_name = "DIR|ZIP", requires = "wordpress")]
    pub media: Option<PathBuf>,
    /// With --wordpress: lines `FORMER = ONE OF OURS` that say what categories become
    #[arg(long, value_name = "FILE", requires = "wordpress")]
    pub categories: Option<PathBuf>,
    /// With --wordpress: write the texts of its pages into this new file, not into the report
    #[arg(long, value_name = "FILE", requires = "wordpress")]
    pub texts: Option<PathBuf>,
    /// With --wordpress: leave posts out whose address is taken here
    #[arg(long, requires = "wordpress")]
    pub skip_existing: bool,
    /// With --wordpress or --csv: say what would come, change nothing
    #[arg(long, conflicts_with = "dir")]
    pub dry_run: bool,
    /// Newsletter addresses: a table with the columns `email`, `confirmed_at` and `consent_text`
    #[arg(long, value_name = "FILE", requires = "proof")]
    pub csv: Option<PathBuf>,
    /// With --csv: where the consent comes from; kept beside each address
    #[arg(long, value_name = "TEXT", requires = "csv")]
    pub proof: Option<String>,
}
