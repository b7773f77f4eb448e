<?php
// Installs WordPress into its database, writes a small site into it, and prints its own export.
$root = $argv[1];
$_SERVER += ['HTTP_HOST' => 'vecchio.example', 'REQUEST_URI' => '/', 'SERVER_PROTOCOL' => 'HTTP/1.1', 'REQUEST_METHOD' => 'GET'];
define('WP_INSTALLING', true);
require "$root/wp-load.php";
require_once ABSPATH . 'wp-admin/includes/upgrade.php';
require_once ABSPATH . 'wp-admin/includes/image.php';
require_once ABSPATH . 'wp-admin/includes/export.php';
// Nobody is written to.
function wp_new_blog_notification() {}
wp_install('Respiro e natura', 'anna', 'anna@vecchio.example', true, '', 'prova-prova-prova');
update_option('siteurl', 'https://vecchio.example');
update_option('home', 'https://vecchio.example');
update_option('permalink_structure', '/%year%/%monthnum%/%postname%/');
update_option('timezone_string', 'Europe/Rome');
$GLOBALS['wp_rewrite']->init();
create_initial_taxonomies();
create_initial_post_types();
foreach (get_posts(['post_type' => 'any', 'post_status' => 'any', 'numberposts' => -1]) as $post) wp_delete_post($post->ID, true);

function picture($name, $colour, $alt) {
    $upload = wp_upload_dir('2019/05');
    $path = "{$upload['path']}/$name";
    $image = imagecreatetruecolor(640, 480);
    imagefill($image, 0, 0, imagecolorallocate($image, ...$colour));
    imagejpeg($image, $path, 60);
    $id = wp_insert_attachment(['post_mime_type' => 'image/jpeg', 'post_title' => $name, 'guid' => "{$upload['url']}/$name"], $path);
    wp_update_attachment_metadata($id, wp_generate_attachment_metadata($id, $path));
    update_post_meta($id, '_wp_attachment_image_alt', $alt);
    return [$id, "{$upload['url']}/$name"];
}
function post($title, $content, $more = []) {
    $id = wp_insert_post(wp_slash($more + ['post_title' => $title, 'post_content' => $content, 'post_status' => 'publish',
        'post_date' => '2019-05-12 09:30:00', 'post_author' => 1]), true);
    if (is_wp_error($id)) { fwrite(STDERR, $id->get_error_message()); exit(1); }
    return $id;
}

[$sea, $sea_url] = picture('mare.jpg', [20, 80, 160], 'Il mare all’alba');
[$wood, $wood_url] = picture('bosco.jpg', [20, 120, 40], '');
[$sun, $sun_url] = picture('sole-caffè.jpg', [240, 180, 20], 'Sole');
[$alone, $alone_url] = picture('copertina.jpg', [200, 200, 200], 'Copertina');
$known = wp_create_category('Tecniche');
$other = wp_create_category('Respiro consapevole');

$first = post('Tre minuti di respiro & quiete', <<<HTML
<!-- wp:paragraph -->
<p>Prima di <strong>tutto </strong>siediti. Leggi <a href="https://vecchio.example/2019/05/seconda/">la seconda parte</a>.</p>
<!-- /wp:paragraph -->

<!-- wp:heading -->
<h2>Come si fa</h2>
<!-- /wp:heading -->

<!-- wp:list {"ordered":true} -->
<ol><li>Inspira<ul><li>dal naso</li></ul></li><li>Espira</li></ol>
<!-- /wp:list -->

<!-- wp:image {"id":$sea,"sizeSlug":"medium"} -->
<figure class="wp-block-image size-medium"><img src="{$sea_url}" alt="Il mare" class="wp-image-$sea"/><figcaption>All’alba, "in silenzio"</figcaption></figure>
<!-- /wp:image -->

<!-- wp:embed {"url":"https://www.youtube.com/watch?v=abc","type":"video","providerNameSlug":"youtube"} -->
<figure class="wp-block-embed is-type-video is-provider-youtube"><div class="wp-block-embed__wrapper">
https://www.youtube.com/watch?v=abc
</div></figure>
<!-- /wp:embed -->

<!-- wp:quote -->
<blockquote class="wp-block-quote"><p>Il respiro è qui.</p><cite>Anna</cite></blockquote>
<!-- /wp:quote -->
HTML, ['post_name' => 'tre-minuti', 'post_category' => [$known], 'post_excerpt' => 'Una pausa breve.']);
set_post_thumbnail($first, $alone);
add_post_meta($first, '_wp_old_slug', '3-minuti');
wp_insert_comment(['comment_post_ID' => $first, 'comment_content' => 'Grazie!', 'comment_author' => 'Lia', 'comment_approved' => 1]);

post('Seconda', "Una riga\nsotto l’altra.\n\n<em>Poi</em> un paragrafo con [nota] e [contact-form-7 id=\"4\" title=\"Modulo\"].\n\n[caption id=\"attachment_$wood\" align=\"alignnone\" width=\"300\"]<a href=\"$wood_url\"><img class=\"size-medium wp-image-$wood\" src=\"" . str_replace('.jpg', '-300x225.jpg', $wood_url) . "\" alt=\"Bosco\" width=\"300\" height=\"225\" /></a> Nel bosco[/caption]\n\n[gallery ids=\"$sea,$sun\"]\n", ['post_name' => 'seconda', 'post_category' => [$other]]);
post('Senza indirizzo bello', '<p>Solo questo.</p>', ['post_name' => 'perché-così', 'post_date' => '2020-01-02 10:00:00']);
post('Una bozza', 'Da finire.', ['post_status' => 'draft']);
post('Privato', 'Solo per me.', ['post_status' => 'private']);
wp_trash_post(post('Buttato', 'Via.'));
post('Chi sono', "<!-- wp:paragraph -->\n<p>Mi chiamo Anna.</p>\n<!-- /wp:paragraph -->", ['post_type' => 'page', 'post_name' => 'chi-sono']);

// It sends headers and prints; on the command line both are harmless.
export_wp(['content' => 'all']);
