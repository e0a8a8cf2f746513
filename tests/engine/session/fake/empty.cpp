extern "C" __attribute__((visibility("default"))) int plumbline_fake_library() {
    return 1;
}
